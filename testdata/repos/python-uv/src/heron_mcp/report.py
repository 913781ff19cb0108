def main() -> None:
    print("report")
