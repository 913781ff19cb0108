package reply

import (
	"encoding/json"
	"testing"
)

// Makers of answers.
func rpc(code, message string) Answer {
	return Answer{Kind: Answered, Error: &RPCError{Code: json.Number(code), Message: message}}
}

func rpcData(message, data string) Answer {
	a := rpc("-32603", message)
	a.Error.Data = json.RawMessage(data)
	return a
}

func result(raw string) Answer { return Answer{Kind: Answered, Result: json.RawMessage(raw)} }

func content(text, rest string) Answer {
	quoted, _ := json.Marshal(text)
	return result(`{"content":[{"type":"text","text":` + string(quoted) + `}]` + rest + `}`)
}

func flagged(text string) Answer { return content(text, `,"isError":true`) }
func plain(text string) Answer   { return content(text, "") }

var question = Question{
	Arguments:  json.RawMessage(`{"name":"not-a-valid-value","owner":12345,"query":"KeyError: 'a' happened","path":"/home/alex/secret.py:12","verbose":{"x":1}}`),
	Parameters: []string{"name", "owner", "repo", "timeout", "query", "path", "items", "id", "limit", "url", "context", "verbose", "onKeyError", "fileKey", "resource", "start_date"},
}

func TestRead(t *testing.T) {
	tests := []struct {
		name   string
		answer Answer
		want   Class
		plain  bool
		names  string // "" is not compared
	}{
		// What became of the connection.
		{"closed", Answer{Kind: Closed}, Crash, false, ""},
		{"hung", Answer{Kind: Hung}, Hang, false, ""},
		{"no result and no error", Answer{Kind: Answered}, Rejected, false, ""},
		{"null error beside a result", Answer{Kind: Answered, Error: &RPCError{}, Result: json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`)}, Accepted, false, ""},

		// Clean rejections as libraries word them.
		{"zod 3, path after", flagged("MCP error -32602: Input validation error: Invalid arguments for tool greet: Required at name"), Rejected, false, "name"},
		{"zod 4", flagged("MCP error -32602: Input validation error: Invalid arguments for tool greet: Invalid input: expected string, received undefined at name"), Rejected, false, "name"},
		{"zod dump", rpc("-32603", `Invalid input: [{"code":"invalid_type","expected":"string","received":"undefined","path":["query"],"message":"Required"}]`), Rejected, false, "query"},
		{"zod dump, undeclared name", rpc("-32603", `[{"code":"invalid_type","expected":"string","received":"undefined","path":["zz"],"message":"Required"}]`), Rejected, false, ""},
		{"zod dump with lines", rpc("-32603", "[\n  {\n    \"expected\": \"record\",\n    \"code\": \"invalid_type\",\n    \"path\": [\n      \"params\",\n      \"name\"\n    ],\n    \"message\": \"Invalid input: expected record, received array\"\n  }\n]"), Rejected, false, "name"},
		{"zod unrecognized key", flagged(`Input validation error: Invalid arguments for tool x: Unrecognized key: "sm_unexpected"`), Rejected, false, ""},
		{"ajv, data path", rpc("-32602", "data/name must be string"), Rejected, false, "name"},
		{"ajv, required", rpc("-32602", "data must have required property 'owner'"), Rejected, false, "owner"},
		{"ajv, errors in data", rpcData("Invalid params", `[{"instancePath":"/limit","keyword":"type","message":"must be integer"}]`), Rejected, false, "limit"},
		{"joi", flagged(`"name" is required`), Rejected, false, "name"},
		{"yup", flagged("name must be a `string` type, but the final value was: `12345`."), Rejected, false, "name"},
		{"valibot", flagged("Invalid type: Expected string but received undefined"), Rejected, false, ""},
		{"superstruct", flagged("At path: name -- Expected a string, but received: 12345"), Rejected, false, "name"},
		{"io-ts", flagged("Invalid value undefined supplied to : { name: string }/name: string"), Rejected, false, ""},
		{"undefined as a value", flagged("name: undefined is not a valid string"), Rejected, false, "name"},
		{"pydantic, type", flagged("1 validation error for greetArguments\nname\n  Input should be a valid string [type=string_type, input_value=12345, input_type=int]\n    For further information visit https://errors.pydantic.dev/2.11/v/string_type"), Rejected, false, "name"},
		{"pydantic, null", flagged("1 validation error for greetArguments\nname\n  Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]"), Rejected, false, "name"},
		{"pydantic, missing", flagged("Error executing tool greet: 1 validation error for greetArguments\nname\n  Field required [type=missing, input_value={}, input_type=dict]"), Rejected, false, "name"},
		{"pydantic, call", flagged("2 validation errors for call[greet]\nname\n  Missing required argument [type=missing_argument, input_value={}, input_type=dict]"), Rejected, false, "name"},
		{"pydantic 1", flagged("1 validation error for Greet\nname\n  str type expected (type=type_error.str)"), Rejected, false, ""},
		{"python jsonschema", flagged("Input validation error: 12345 is not of type 'string'"), Rejected, false, ""},
		{"python jsonschema, null", flagged("Input validation error: None is not of type 'string'"), Rejected, false, ""},
		{"python jsonschema, required", flagged("Input validation error: 'name' is a required property"), Rejected, false, "name"},
		{"python, own words, null", flagged("Invalid value for query: expected a string, got NoneType"), Rejected, false, "query"},
		{"python ValueError", flagged("ValueError: limit must be between 1 and 100"), Rejected, false, "limit"},
		{"marshmallow", rpcData("Validation failed", `{"name":["Missing data for required field."]}`), Rejected, false, ""},
		{"fastapi detail", rpcData("Unprocessable", `{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required"}]}`), Rejected, false, "name"},
		{"go json", flagged("failed to bind arguments: json: cannot unmarshal number into Go struct field GreetingArgs.name of type string"), Rejected, false, "name"},
		{"go json, no name", rpc("0", "json: cannot unmarshal array into Go value of type struct { User string }"), Rejected, false, ""},
		{"go jsonschema", flagged(`validating "arguments": validating root: validating /properties/name: type: 12345 has type "integer", want "string"`), Rejected, false, "name"},
		{"go jsonschema, required", flagged(`validating "arguments": validating root: required: missing properties: ["name"]`), Rejected, false, "name"},
		{"go helper", flagged(`required argument "name" not found`), Rejected, false, "name"},
		{"go helper, type", flagged(`argument "name" is not a string`), Rejected, false, "name"},
		{"go two names", flagged("invalid number arguments: expected numeric values for 'limit' and 'id'"), Rejected, false, ""},
		{"java jackson", rpc("-32602", "Cannot deserialize value of type `java.lang.String` from Object value (token `JsonToken.START_OBJECT`) (through reference chain: com.acme.Args[\"name\"])"), Rejected, false, "name"},
		{"java bean validation", rpc("-32602", "create.name: must not be null"), Rejected, false, "name"},
		{"java illegal argument", flagged("java.lang.IllegalArgumentException: Missing required parameter: owner"), Rejected, false, "owner"},
		{"kotlin", flagged("Field 'name' is required for type with serial name 'acme.Args', but it was missing at path: $"), Rejected, false, "name"},
		{"rust serde", rpc("-32602", "failed to deserialize parameters: missing field `name`"), Rejected, false, "name"},
		{"rust serde, type", rpc("-32602", "failed to deserialize parameters: invalid type: integer `12345`, expected a string"), Rejected, false, ""},
		{"rust own words", rpc("-32602", "invalid request: missing required field 'id'"), Rejected, false, "id"},
		{"php symfony", flagged("The option \"name\" with value 12345 is expected to be of type \"string\", but is of type \"int\"."), Rejected, false, ""},
		{"php laravel", flagged("The name field is required."), Rejected, false, "name"},
		{"c# converter", rpc("-32602", "The JSON value could not be converted to System.String. Path: $.name | LineNumber: 0 | BytePositionInLine: 14."), Rejected, false, "name"},
		{"c# argument", flagged("System.ArgumentException: The arguments dictionary is missing a value for the required parameter 'name'."), Rejected, false, "name"},
		{"ruby json schema", flagged("The property '#/name' of type integer did not match the following type: string"), Rejected, false, ""},
		{"swift", rpc("-32602", "Missing required parameter: path"), Rejected, false, "path"},
		{"elixir", flagged("name: can't be blank"), Rejected, false, ""},
		{"generic", rpc("-32603", "Internal error"), Rejected, false, ""},
		{"generic, c#", flagged("An error occurred invoking 'greet'."), Rejected, false, ""},
		{"empty", rpc("-32602", ""), Rejected, false, ""},
		{"flagged without content", result(`{"isError":true}`), Rejected, false, ""},
		{"not found", rpc("-32000", "spec not found: alpha"), Rejected, false, ""},
		{"status of the backend", flagged("Request failed with status code 404"), Rejected, false, ""},
		{"a parameter called timeout", flagged("timeout must be a number"), Rejected, false, "timeout"},
		{"timeout, quoted", flagged(`Invalid arguments: "timeout" expected number, received string`), Rejected, false, "timeout"},
		{"an option called timeout", rpc("-32603", "Command failed: orders watch 12345 --timeout=12345\nError: unknown flag: --timeout"), Rejected, false, ""},
		{"an option called timeout, quoted", flagged(`invalid argument "x" for "--timeout" flag: parse error`), Rejected, false, ""},
		{"a parameter of a URL", flagged("404 Not Found: http://127.0.0.1:9/api?tls=on&timeout=32s"), Rejected, false, ""},
		{"timeout, required", rpc("-32602", "Missing required parameter: timeout"), Rejected, false, "timeout"},
		{"url beside certificate", flagged("url must be https with a valid certificate"), Rejected, false, "url"},
		{"word within a parameter name", flagged("Invalid input: expected string, received number at onKeyError"), Rejected, false, "onKeyError"},
		{"class name with such an end", flagged("ArgumentTypeError: expected a string"), Rejected, false, ""},
		{"words that were ours", flagged("Invalid query: KeyError: 'a' happened"), Rejected, false, "query"},
		{"index as a word of a decision", flagged("limit is invalid: index out of range"), Rejected, false, "limit"},
		{"both name and fetch", flagged("Invalid url: connection refused"), Rejected, false, "url"},

		// Unhandled runtime errors.
		{"js map", flagged("TypeError: Cannot read properties of undefined (reading 'map')"), InternalError, false, ""},
		{"js without class", rpc("-32603", "Cannot read properties of null (reading 'length')"), InternalError, false, ""},
		{"js method", rpc("-32603", "Failed to get: input.name.toLowerCase is not a function"), InternalError, false, ""},
		{"js safari", flagged("undefined is not an object (evaluating 'a.b')"), InternalError, false, ""},
		{"js iterable", flagged("undefined is not iterable (cannot read property Symbol(Symbol.iterator))"), InternalError, false, ""},
		{"js node argument", flagged(`TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received type number (12345)`), InternalError, false, ""},
		{"js extension", rpc("-32603", "args.items is not iterable"), InternalError, false, ""},
		{"js reference", rpc("-32603", "ReferenceError: foo is not defined"), InternalError, false, ""},
		{"python attribute", flagged("'NoneType' object has no attribute 'lower'"), InternalError, false, ""},
		{"python attribute, class", flagged("Error executing tool greet: AttributeError: 'int' object has no attribute 'strip'"), InternalError, false, ""},
		{"python key", flagged("KeyError: 'name'"), InternalError, false, ""},
		{"python none", flagged("argument of type 'NoneType' is not iterable"), InternalError, false, ""},
		{"python join", flagged("sequence item 0: expected str instance, NoneType found"), InternalError, false, ""},
		{"python int", flagged("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"), InternalError, false, ""},
		{"python missing argument", flagged("TypeError: greet() missing 1 required positional argument: 'name'"), InternalError, false, ""},
		{"python extension", flagged("list index out of range"), InternalError, false, ""},
		{"go nil", rpc("-32603", "internal panic: runtime error: invalid memory address or nil pointer dereference"), InternalError, false, ""},
		{"go index", rpc("-32603", "runtime error: index out of range [0] with length 0"), InternalError, false, ""},
		{"go conversion", flagged("interface conversion: interface {} is float64, not string"), InternalError, false, ""},
		{"java", rpc("-32603", `java.lang.NullPointerException: Cannot invoke "String.length()" because "name" is null`), InternalError, false, ""},
		{"java cast", rpc("-32603", "class java.lang.Integer cannot be cast to class java.lang.String: java.lang.ClassCastException"), InternalError, false, ""},
		{"c#", flagged("Object reference not set to an instance of an object."), InternalError, false, ""},
		{"ruby", flagged("undefined method `upcase' for 12345:Integer"), InternalError, false, ""},
		{"ruby 3.4", flagged("undefined method 'upcase' for nil"), InternalError, false, ""},
		{"php", flagged("strlen(): Argument #1 ($string) must be of type string, array given, called in handler"), InternalError, false, ""},
		{"php key", flagged(`Undefined array key "name"`), InternalError, false, ""},
		{"rust", rpc("-32603", "called `Option::unwrap()` on a `None` value"), InternalError, false, ""},
		{"in data", rpcData("Internal error", `{"name":"Error","message":"x","cause":"TypeError: a is not a function"}`), InternalError, false, ""},
		{"before a leak", flagged("TypeError: x is not a function\n    at run (/srv/app/index.js:10:5)"), InternalError, false, ""},
		{"in plain text", plain("Error: Cannot read properties of undefined (reading 'map')"), InternalError, true, ""},

		// Errors of a fetch that was made with the invalid argument.
		{"node dns", rpc("-32603", "getaddrinfo EAI_AGAIN api.example.com"), Lenient, false, ""},
		{"node refused", rpc("-32603", "connect ECONNREFUSED 127.0.0.1:9"), Lenient, false, ""},
		{"fetch failed", rpc("-32603", "fetch failed"), Lenient, false, ""},
		{"node fetch", rpc("-32603", "Failed to create the order: TypeError: fetch failed"), Lenient, false, ""},
		{"browser fetch", flagged("TypeError: Failed to fetch"), Lenient, false, ""},
		{"node fetch beside a crash", flagged("TypeError: fetch failed; TypeError: Cannot read properties of undefined (reading 'status')"), InternalError, false, ""},
		{"axios timeout", flagged("timeout of 3000ms exceeded"), Lenient, false, ""},
		{"a timeout beside an option", flagged("orders watch --timeout=5s: request timeout"), Lenient, false, ""},
		{"socket", flagged("API error: socket hang up"), Lenient, false, ""},
		{"go dial", flagged(`Get "https://api.example.com/x?query=12345": dial tcp: lookup api.example.com: no such host`), Lenient, false, ""},
		{"go x509", flagged(`tls: failed to verify certificate: x509: certificate signed by unknown authority`), Lenient, false, ""},
		{"go deadline", flagged("context deadline exceeded"), Lenient, false, ""},
		{"python httpx", flagged("Error executing tool search: All connection attempts failed"), Lenient, false, ""},
		{"python requests", flagged("HTTPSConnectionPool(host='api.example.com', port=443): Max retries exceeded with url: /v1 (Caused by NameResolutionError(...: Failed to resolve 'api.example.com' ([Errno -3] Temporary failure in name resolution)"), Lenient, false, ""},
		{"rust reqwest", rpc("-32603", "error sending request for url (https://api.example.com/)"), Lenient, false, ""},
		{"java", flagged("java.net.UnknownHostException: api.example.com"), Lenient, false, ""},
		{"php curl", flagged("cURL error 6: Could not resolve host: api.example.com"), Lenient, false, ""},
		{"c# resolver", flagged("Failed to create client: Resource temporarily unavailable (api.example.com:443)"), Lenient, false, ""},
		{"ssl", flagged("SSL: CERTIFICATE_VERIFY_FAILED"), Lenient, false, ""},
		{"a parameter that is only mentioned", flagged(`Failed to explain resource: Get "http://127.0.0.1:9/api?timeout=32s": dial tcp 127.0.0.1:9: connect: connection refused - did you specify the right host or port?`), Lenient, false, ""},
		{"in plain text", plain("Failed to fetch the page: getaddrinfo ENOTFOUND example.invalid"), Lenient, true, ""},

		// Refusals in plain text.
		{"words of the document", plain("invalid input: name"), Rejected, true, ""},
		{"missing parameter", plain("missing required parameter: owner"), Rejected, true, "owner"},
		{"validation error", plain("Validation error: name: Required"), Rejected, true, "name"},
		{"status", plain(`{"status":"error","reason":"1 validation error"}`), Rejected, true, ""},
		{"success false", plain(`{"success": false, "error": "name is required"}`), Rejected, true, "name"},
		{"ok false", plain(`{"ok":false}`), Rejected, true, ""},
		{"error member", plain(`{"error":"Invalid owner"}`), Rejected, true, "owner"},
		{"error object", plain(`{"error":{"code":"VALIDATION","message":"bad"}}`), Rejected, true, ""},
		{"code and message", plain(`{"code":"INVALID_ARGUMENT","message":"name"}`), Rejected, true, ""},
		{"http status", plain(`{"statusCode":400,"message":"owner should be a string"}`), Rejected, true, "owner"},
		{"structured only", result(`{"content":[],"structuredContent":{"success":false,"message":"limit out of bounds"}}`), Rejected, true, ""},
		{"markdown", plain("**Input Error**\n\nThere was a problem with the input you provided."), Rejected, true, ""},
		{"emoji", plain("❌ Error: name is required"), Rejected, true, "name"},
		{"class name", plain("ValueError: unsupported operand"), Rejected, true, ""},
		{"error opening", plain("Error opening project: not-a-valid-value"), Rejected, true, ""},
		{"please provide", plain("Please provide a valid query."), Rejected, true, ""},
		{"no query", plain("No query provided"), Rejected, true, ""},
		{"no value for", plain("No value was given for the query"), Rejected, true, ""},
		{"unable", plain("Unable to parse the date."), Rejected, true, ""},
		{"declared name", plain(`The "context" parameters are required when not learning`), Rejected, true, "context"},
		{"zod dump in text", plain(`[{"code":"invalid_type","path":["zz"],"message":"Required"}]`), Rejected, true, ""},
		{"isError as a string", content("Invalid arguments", `,"isError":"true"`), Rejected, true, ""},
		{"content as one object", result(`{"content":{"type":"text","text":"Invalid params"}}`), Rejected, true, ""},
		{"result as a string", result(`"Error: name is required"`), Rejected, true, "name"},

		// Successes that only look like refusals.
		{"echo", plain("Echo: invalid"), Accepted, false, ""},
		{"echo of ours", plain("KeyError: 'a' happened"), Accepted, false, ""},
		{"echo of ours, named", plain("Hello, not-a-valid-value!"), Accepted, false, ""},
		{"document list", plain("1. Error handling in Go\n2. What does \"invalid input\" mean?\n3. name is required: a story"), Accepted, false, ""},
		{"error codes", plain("Error codes: 404 means not found"), Accepted, false, ""},
		{"no errors", plain("Errors: 0\nWarnings: 2"), Accepted, false, ""},
		{"none", plain("Error: none"), Accepted, false, ""},
		{"log", plain("2026-01-01 ERROR invalid input"), Accepted, false, ""},
		{"empty list", plain("[]"), Accepted, false, ""},
		{"no results", plain("No results found for 12345."), Accepted, false, ""},
		{"no results for what was given", plain("No results found for the given query"), Accepted, false, ""},
		{"nothing where it was looked for", plain("No files in specified folder."), Accepted, false, ""},
		{"nothing that matches", plain("No orders match provided filter"), Accepted, false, ""},
		{"nothing to do", plain("No usable pairs found in the provided sessions. Every entry was missing values.\n{\"skipped\":[]}"), Accepted, false, ""},
		{"not found list", plain("Path \"alpha\" not found.\nHere are all available paths:\n- a/"), Accepted, false, ""},
		{"null error", plain(`{"error":null,"items":[]}`), Accepted, false, ""},
		{"empty errors", plain(`{"errors":[],"total_errors":0,"valid":true}`), Accepted, false, ""},
		{"error as a measure", plain(`{"mean":2.5,"error":0.05}`), Accepted, false, ""},
		{"a lint result", plain(`{"valid":false,"result":{"errors":["x must be a string"]},"errors":["x"]}`), Accepted, false, ""},
		{"search hits", plain(`{"results":[{"title":"Invalid input: what now?","error":"TypeError: x is not a function"}]}`), Accepted, false, ""},
		{"a failed job", plain(`{"job":7,"status":"failed"}`), Accepted, false, ""},
		{"success true with words", plain(`{"success":true,"message":"Invalid entries were skipped"}`), Accepted, false, ""},
		{"article", plain("TypeErrors are raised when a value is not of the expected kind."), Accepted, false, ""},
		{"fetch words", plain("The server's timeout is 30 s; its certificate is new."), Accepted, false, ""},
		{"greeting", plain("Hello, 12345! The name was set."), Accepted, false, ""},
		{"number", plain("-1"), Accepted, false, ""},
		{"image", result(`{"content":[{"type":"image","data":"aXMgcmVxdWlyZWQ=","mimeType":"image/png"}]}`), Accepted, false, ""},
		{"nothing", result(`{"content":[]}`), Empty, false, ""},
		{"null", result(`null`), Accepted, false, ""},
		{"error in a later block", result(`{"content":[{"type":"text","text":"2 documents"},{"type":"text","text":"Error: the musical"}]}`), Accepted, false, ""},

		// Leaks.
		{"leak in a rejection", flagged("name must be a string\n    at validate (/srv/app/index.js:10:5)"), Leak, false, "name"},
		{"leak in a success", plain("done, see /home/alex/app/main.go:12"), Leak, false, ""},
		{"leak in data", rpcData("Internal error", `{"stack":"Error: x\n    at Object.<anonymous> (/srv/app/index.js:10:5)"}`), Leak, false, ""},
		{"leak in structured content", result(`{"content":[],"structuredContent":{"trace":"Traceback (most recent call last):"}}`), Leak, false, ""},
		{"leak in an embedded resource", result(`{"content":[{"type":"resource","resource":{"uri":"a://b","text":"C:\\Users\\alex\\x"}}]}`), Leak, false, ""},
		{"a path that was ours", plain("can't stat /home/alex/secret.py:12"), Accepted, false, ""},
	}
	if len(tests) < 80 {
		t.Fatalf("%d replies", len(tests))
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := Read(test.answer, question)
			if r.Class != test.want || r.PlainText != test.plain {
				t.Errorf("class %s, plain text %t; want %s, %t\nmatch %q, names %q, leak %q", r.Class, r.PlainText, test.want, test.plain, r.Match, r.Names, r.Leak)
			}
			if test.names != "" && r.Names != test.names {
				t.Errorf("names %q, want %q", r.Names, test.names)
			}
		})
	}
}

func TestReadParameterCalledLikeAnError(t *testing.T) {
	answer := flagged("TypeError: Required")
	if r := Read(answer, Question{Parameters: []string{"TypeError"}}); r.Class != Rejected || r.Names != "TypeError" {
		t.Errorf("declared: %+v", r)
	}
	if r := Read(answer, Question{}); r.Class != InternalError {
		t.Errorf("not declared: %+v", r)
	}
}
