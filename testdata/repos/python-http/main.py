import os

from fastmcp import FastMCP

mcp = FastMCP("stoat")

if __name__ == "__main__":
    mcp.run(transport="http", host="127.0.0.1", port=int(os.environ["STOAT_PORT"]))
