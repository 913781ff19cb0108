package target

import "regexp"

// The languages, by what their SDKs and frameworks for MCP are called.

var javascript = &language{
	extensions: []string{".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"},
	server: regexp.MustCompile(`@modelcontextprotocol/(sdk/server|server|node|express|hono)\b|\bnew (McpServer|FastMCP|MCPServer|LiteMCP)\b|` +
		`\bextends (McpAgent|MCPServer)\b|\bcreateMcpHandler\b|(?:from|import|require\()\s*["'](fastmcp|mcp-framework|litemcp|xmcp|mcp-handler|@vercel/mcp-adapter|@rekog/mcp-nest|@tmcp/[a-z-]+|tmcp|muppet)["']`),
	client: regexp.MustCompile(`@modelcontextprotocol/(sdk/client|client)\b|\bnew (McpClient|MCPClient|MultiServerMCPClient)\b|\bcreateMCPClient\b`),
	stdio:  regexp.MustCompile(`StdioServerTransport|StdioTransport\b|transportType["']?:\s*["']stdio|serveStdio|process\.stdin`),
	http:   regexp.MustCompile(`StreamableHTTP(Server)?Transport|StreamableHttp(Server)?Transport|transportType["']?:\s*["'](http|httpStream|streamable)|createMcpHandler|Bun\.serve`),
	sse:    regexp.MustCompile(`SSEServerTransport|transportType["']?:\s*["']sse`),
	port:   regexp.MustCompile(`(?:process|Bun|import\.meta|Deno)\.env(?:\.get\(["']|\.|\[["'])([A-Z][A-Z0-9_]*PORT|PORT)\b`),
	listen: regexp.MustCompile(`(?:\.listen\(\s*|(?i:\bport\b)\s*[:=]\s*)([1-9][0-9]{2,4})\b`),
	route:  regexp.MustCompile("\\.(?:post|all|use|route|get)\\(\\s*[\"'`](/[A-Za-z0-9/_-]*(?:mcp|sse)[A-Za-z0-9/_-]*)[\"'`]|\\bpathname\\s*===?\\s*[\"'`](/[A-Za-z0-9/_-]+)[\"'`]"),
}

var python = &language{
	extensions: []string{".py"},
	server:     regexp.MustCompile(`\b(from|import) mcp\.server\b|\bfrom mcp import [^\n]*\bMCPServer\b|\bfrom fastmcp import [^\n]*\bFastMCP\b|\bFastMCP\(|\bFastApiMCP\(|\bfrom fastmcp\.server\b|\bMcpServer\(|\bMCPServer\(`),
	client:     regexp.MustCompile(`\b(from|import) mcp\.client\b|\bClientSession\b|\bStdioServerParameters\b|\bfrom fastmcp import [^\n]*\bClient\b|\bfrom fastmcp\.client\b|\bMultiServerMCPClient\b`),
	stdio:      regexp.MustCompile(`\bstdio_server\b|["']stdio["']|\.run\(\s*\)|\brun_stdio|sys\.stdin`),
	http:       regexp.MustCompile(`["'](?:streamable[-_])?http["']|StreamableHTTPSessionManager|streamable_http_app|\bhttp_app\(|\bFastApiMCP\(`),
	sse:        regexp.MustCompile(`["']sse["']|SseServerTransport|\bsse_app\(`),
	port:       regexp.MustCompile(`os\.(?:environ(?:\.get\(|\[)|getenv\()["']([A-Z][A-Z0-9_]*PORT|PORT)["']`),
	listen:     regexp.MustCompile(`\bport\s*=\s*([1-9][0-9]{2,4})\b`),
	route:      regexp.MustCompile(`(?:\bMount|\bRoute|\bmount|\.mount)\(\s*["'](/[A-Za-z0-9/_-]+)["']|(?:\bpath|streamable_http_path|\bmount_path)\s*=\s*["'](/[A-Za-z0-9/_-]+)["']`),
}

var golang = &language{
	extensions: []string{".go"},
	server:     regexp.MustCompile(`\b(mcp|server|mcpserver|mcp_golang|mcpsdk|sdk|mcpgo)\.New(MCP)?Server\(|\bNewMCPServer\(`),
	client:     regexp.MustCompile(`\bmcp\.NewClient\(|\bNew(Stdio|SSE|StreamableHttp|StreamableHTTP)MCPClient|\bNewInProcessClient\(|\bclient\.NewClient\(`),
	stdio:      regexp.MustCompile(`ServeStdio\(|NewStdioServer|StdioTransport|os\.Stdin`),
	http:       regexp.MustCompile(`NewStreamableHTTP(Server|Handler)`),
	sse:        regexp.MustCompile(`NewSSE(Server|Handler)`),
	port:       regexp.MustCompile(`os\.(?:Getenv|LookupEnv)\("([A-Z][A-Z0-9_]*PORT|PORT)"\)`),
	listen:     regexp.MustCompile(`"(?:localhost|127\.0\.0\.1|0\.0\.0\.0)?:([1-9][0-9]{2,4})"`),
	route:      regexp.MustCompile(`(?:\.Handle|\.HandleFunc|WithEndpointPath)\(\s*"(/[A-Za-z0-9/_-]+)"`),
}

var rust = &language{
	extensions: []string{".rs"},
	server:     regexp.MustCompile(`\bServerHandler\b|#\[tool_router|#\[tool_box|\btransport::(io::)?stdio\b|\bStreamableHttpService\b|\brust_mcp_sdk::[^;]*server|\bmcp_server::|\bserver_runtime\b`),
	client:     regexp.MustCompile(`\bClientHandler\b|\bTokioChildProcess\b|\bclient_runtime\b|\bStreamableHttpClientTransport\b`),
	stdio:      regexp.MustCompile(`\bstdio\b|StdioTransport|\bstdin\(\)`),
	http:       regexp.MustCompile(`StreamableHttpService|StreamableHttpServer|HyperServer`),
	sse:        regexp.MustCompile(`SseServer`),
	port:       regexp.MustCompile(`env::var\("([A-Z][A-Z0-9_]*PORT|PORT)"\)`),
	listen:     regexp.MustCompile(`"(?:localhost|127\.0\.0\.1|0\.0\.0\.0):([1-9][0-9]{2,4})"`),
	route:      regexp.MustCompile(`nest_service\(\s*"(/[A-Za-z0-9/_-]+)"`),
}

var jvm = &language{
	extensions: []string{".java", ".kt", ".kts", ".scala", ".groovy"},
	server:     regexp.MustCompile(`\bMcpServer\.(a?sync)\(|\bMcpServerTransportProvider\b|\bStdioServerTransport(Provider)?\b|\bMcpServerFeatures\b|\bio\.quarkiverse\.mcp\.server\b|\bkotlin\.sdk\.server\b|\bMcpTool\b|\bai\.tool\.annotation\.Tool\b|\bToolCallbackProvider\b`),
	client:     regexp.MustCompile(`\bMcpClient\.(a?sync)\(|\bMcpSyncClient\b|\bMcpAsyncClient\b|\bkotlin\.sdk\.client\b`),
	stdio:      regexp.MustCompile(`StdioServerTransport|System\.in\b`),
	http:       regexp.MustCompile(`StreamableServerTransport|StreamableHttp|mcpStreamableHttp`),
	sse:        regexp.MustCompile(`SseServerTransport|HttpServletSse|WebFluxSse|WebMvcSse`),
}

var csharp = &language{
	extensions: []string{".cs", ".fs"},
	server:     regexp.MustCompile(`\bAddMcpServer\(|\bMcpServerTool(Type)?\b|\bMcpServerFactory\b|\bMcpServer\.Create\(`),
	client:     regexp.MustCompile(`\bMcpClientFactory\b|\bMcpClient\.CreateAsync\(|\bIMcpClient\b|\bStdioClientTransport\b`),
	stdio:      regexp.MustCompile(`WithStdioServerTransport|StdioServerTransport|Console\.(In|OpenStandardInput|ReadLine)`),
	http:       regexp.MustCompile(`WithHttpTransport|\bMapMcp\(`),
	sse:        regexp.MustCompile(`\bMapSse\(`),
	port:       regexp.MustCompile(`GetEnvironmentVariable\("([A-Z][A-Z0-9_]*PORT|PORT)"\)`),
	listen:     regexp.MustCompile(`https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\*|\+):([1-9][0-9]{2,4})`),
	route:      regexp.MustCompile(`\bMapMcp\(\s*"(/[A-Za-z0-9/_-]+)"`),
}

var ruby = &language{
	extensions: []string{".rb", ".ru", ""},
	server:     regexp.MustCompile(`\bMCP::Server\b|\bFastMcp::Server\b|\bModelContextProtocol::Server\b|\bMCP::Rails\b|\bMcp::Server\b`),
	client:     regexp.MustCompile(`\bMCP::Client\b|\bMCPClient\b|\bRubyLLM::MCP\b`),
	stdio:      regexp.MustCompile(`StdioTransport|\$stdin|STDIN|\.start\b`),
	http:       regexp.MustCompile(`StreamableHTTPTransport|RackTransport`),
	sse:        regexp.MustCompile(`SseTransport`),
	port:       regexp.MustCompile(`ENV(?:\.fetch\(|\[)["']([A-Z][A-Z0-9_]*PORT|PORT)["']`),
	listen:     regexp.MustCompile(`\b[Pp]ort:?\s*(?:=>)?\s*([1-9][0-9]{2,4})\b`),
	route:      regexp.MustCompile(`\bmap\s*\(?["'](/[A-Za-z0-9/_-]+)["']`),
}

var php = &language{
	extensions: []string{".php", ""},
	server:     regexp.MustCompile(`\bMcp\\Server\b|\bPhpMcp\\Server\b|\bMcpServer\b|\bLaravel\\Mcp\b`),
	client:     regexp.MustCompile(`\bMcp\\Client\b|\bPhpMcp\\Client\b|\bMcpClient\b`),
	stdio:      regexp.MustCompile(`Stdio\w*Transport|STDIN|php://stdin`),
	http:       regexp.MustCompile(`StreamableHttp\w*Transport|HttpServerTransport`),
	sse:        regexp.MustCompile(`SseTransport`),
}
