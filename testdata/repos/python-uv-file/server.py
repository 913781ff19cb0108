from mcp.server.fastmcp import FastMCP

mcp = FastMCP("toad")


@mcp.tool()
def count() -> int:
    """Count them."""
    return 3


def main() -> None:
    mcp.run()


if __name__ == "__main__":
    main()
