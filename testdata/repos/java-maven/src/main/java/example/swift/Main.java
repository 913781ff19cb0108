package example.swift;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;

public final class Main {
    public static void main(String[] args) {
        McpServer.sync(new StdioServerTransportProvider()).serverInfo("swift", "1.0.0").build();
    }
}
