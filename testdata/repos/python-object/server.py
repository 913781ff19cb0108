from fastmcp import FastMCP

mcp = FastMCP("shrew")


@mcp.tool()
def count() -> int:
    """Count them."""
    return 3
