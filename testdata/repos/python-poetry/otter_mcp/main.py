from mcp.server.fastmcp import FastMCP

mcp = FastMCP("otter")


@mcp.tool()
def count() -> int:
    """Count them."""
    return 3


def main() -> None:
    mcp.run()
