from frog_mcp.app import main
