rootProject.name = "starling-mcp"
