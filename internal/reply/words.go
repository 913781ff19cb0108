package reply

import "regexp"

// RuntimeErrorWords mark an unhandled runtime error, as the robust-input check
// defines them.
var RuntimeErrorWords = []string{
	"TypeError", "Cannot read properties", "is not a function", "undefined is not", "AttributeError", "KeyError", "NoneType",
}

// RuntimeErrorExtension adds the runtime errors of other languages.
var RuntimeErrorExtension = []string{
	"ReferenceError", "Cannot read property '", "Cannot convert undefined or null to object", "Cannot destructure property", "is not iterable", "UnboundLocalError", "IndexError:",
	"nil pointer dereference", "index out of range [", "slice bounds out of range", "interface conversion:", "assignment to entry in nil map",
	"NullPointerException", "ClassCastException", "IndexOutOfBoundsException",
	"NullReferenceException", "Object reference not set to an instance of an object", "InvalidCastException",
	"NoMethodError", "undefined method `", "undefined method '",
	"Undefined array key", "Undefined index:", "Call to a member function", "Uncaught TypeError",
	"called `Option::unwrap()` on a `None` value", "called `Result::unwrap()` on an `Err` value", "panicked at",
}

// FailedFetchWords mark a report of a failed fetch.
var FailedFetchWords = []string{
	"connection refused", "ECONNREFUSED", "ECONNRESET", "connection reset", "ENOTFOUND", "EAI_AGAIN", "getaddrinfo", "name or service not known",
	"no such host", "could not resolve host", "name resolution", "nodename nor servname", "ETIMEDOUT", "timed out", "timeout", "EHOSTUNREACH", "ENETUNREACH",
	"network is unreachable", "no route to host", "fetch failed", "failed to fetch", "socket hang up", "network error", "connection error", "connect error",
	"certificate", "TLS handshake", "SSL", "tls:", "dial tcp", "connection aborted", "max retries exceeded", "unable to connect", "failed to connect", "could not connect",
}

// ResolverExtension adds what resolvers of other platforms say.
var ResolverExtension = []string{
	"Resource temporarily unavailable", "Temporary failure in name resolution", "server misbehaving", "UnknownHostException", "No such host is known",
}

// refusals are the beginnings and phrases by which a normal reply refuses a
// call in words. They are looked for at the start of a line, or need their
// whole phrase, so that a text which merely holds the word "error" is no
// refusal.
var refusals = regexp.MustCompile(`(?im)^\s*(?:[-*❌⚠️✗x]+\s*)?(?:mcp error|[\w.]{0,60}(?:Error|Exception)\b\s*[:(]|(?:[\w ]{0,30}\b)?(?:input |argument |schema |request |parameter |param )?validation (?:error|failed|failure)|(?:error|failed|failure)\b\s*[:(-]|error (?:executing|calling|running|processing|in|while|during|validating|parsing)\b|invalid (?:input|argument|arguments|param|params|parameter|parameters|request|value|type|tool)\b|invalid\s+["'\x60]?[\w.\[\]-]{1,60}["'\x60]?\s*(?::|,|;|-|—|$)|missing (?:required )?(?:\w+ )?(?:param|params|parameter|parameters|argument|arguments|field|fields|property|properties)\b|missing required\b|required (?:param|parameter|argument|field|property)\b|["'\x60]?[\w.\[\]-]{1,60}["'\x60]? (?:is required|is missing|are required|must be|must not be|should be an?\b|has to be|is not (?:a |an )?(?:valid|string|number|integer|boolean|array|object|of type)|is invalid|cannot be (?:null|empty|blank)|can't be (?:null|empty|blank)|may not be (?:null|empty|blank))|(?:expected|received)\b.{0,60}\b(?:string|number|integer|boolean|array|object|null|undefined)\b|unexpected (?:argument|parameter|property|field|type|keyword)\b|unknown (?:argument|parameter|property|field)\b|unrecognized (?:argument|key|keys|parameter)\b|(?:bad|malformed|illegal) (?:input|argument|arguments|request|parameter|parameters)\b|please (?:provide|specify|supply)\b|you must (?:provide|specify|supply)\b|no [\w ]{1,40} (?:provided|specified|given)\b|\d+ validation errors?\b)`)

// phrases refuse wherever they stand.
var phrases = regexp.MustCompile(`(?i)does not match (?:the )?(?:input )?schema|failed schema validation|schema validation (?:failed|error)|is a required property|is not of type ['"]|is not valid under any of the given schemas|additional properties are not allowed|must have required property|must NOT have additional properties|Input should be a valid|Field required \[type=missing|invalid_type|unrecognized_keys`)

// validation are the words of a decision to reject, beside the name of a
// parameter.
var validation = regexp.MustCompile(`(?i)\brequired\b|\binvalid\b|\bmissing\b|\bmust\b|\bexpected\b|\bshould be\b|\bnot (?:a |an )?valid\b|\bnot of type\b|\bcannot be\b|\bunexpected\b|\bunknown\b|\bunrecognized\b|\bnot allowed\b|\bhas to be\b`)
