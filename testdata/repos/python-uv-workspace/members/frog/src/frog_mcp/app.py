from fastmcp import FastMCP

mcp = FastMCP("frog")


@mcp.tool()
def count() -> int:
    """Count them."""
    return 3


def main() -> None:
    mcp.run()
