def help() -> None:
    pass
