package example.starling;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;

public final class Main {
    public static void main(String[] args) {
        McpServer.sync(new StdioServerTransportProvider()).serverInfo("starling", "1.0.0").build();
    }
}
