from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def main() -> None:
    print(ClientSession, StdioServerParameters, stdio_client)
