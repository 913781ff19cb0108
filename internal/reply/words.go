package reply

import (
	"regexp"
	"strings"
)

// RuntimeErrorWords mark an unhandled runtime error, as the robust-input check
// defines them.
var RuntimeErrorWords = []string{
	"TypeError", "Cannot read properties", "is not a function", "undefined is not", "AttributeError", "KeyError", "NoneType",
}

// RuntimeErrorExtension adds the runtime errors of other languages, and the
// rest of those of JavaScript and Python.
var RuntimeErrorExtension = []string{
	// JavaScript
	"ReferenceError", "Cannot read property '", "Cannot convert undefined or null to object", "Cannot destructure property", "is not iterable", "Maximum call stack size exceeded",
	// Python
	"UnboundLocalError", "NameError:", "IndexError", "RecursionError", "list index out of range", "string indices must be integers", "object is not subscriptable", "object has no attribute '", "object is not iterable", "unhashable type:",
	// Go
	"nil pointer dereference", "index out of range", "slice bounds out of range", "interface conversion:", "assignment to entry in nil map", "runtime error:",
	// Java
	"NullPointerException", "ClassCastException", "IndexOutOfBoundsException", "StackOverflowError", "NoSuchElementException",
	// C#
	"NullReferenceException", "Object reference not set to an instance of an object", "InvalidCastException", "IndexOutOfRangeException", "Unable to cast object of type", "Index was outside the bounds of the array",
	// Ruby
	"NoMethodError", "undefined method `", "undefined method '", "no implicit conversion of", "for nil:NilClass",
	// PHP
	"Undefined array key", "Undefined index:", "Undefined variable", "Call to a member function", "given, called in", "Array to string conversion",
	// Rust
	"called `Option::unwrap()` on a `None` value", "called `Result::unwrap()` on an `Err` value", "panicked at",
}

// FailedFetchWords mark a report of a failed fetch: a refused or lost
// connection, a name that was not resolved, a timeout, a failure of TLS.
var FailedFetchWords = []string{
	"connection refused", "ECONNREFUSED", "actively refused", "ECONNRESET", "connection reset", "ECONNABORTED", "connection aborted", "connection closed", "socket hang up", "EPIPE", "broken pipe",
	"EHOSTUNREACH", "ENETUNREACH", "network is unreachable", "network unreachable", "no route to host", "host is unreachable",
	"DNS", "ENOTFOUND", "EAI_AGAIN", "EAI_NONAME", "getaddrinfo", "php_network_getaddresses", "name or service not known", "no such host", "could not resolve host", "name resolution", "nodename nor servname", "No address associated with hostname", "could not be resolved",
	"timeout", "timed out", "ETIMEDOUT", "ESOCKETTIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "ConnectTimeout", "ReadTimeout", "SocketTimeoutException", "deadline exceeded",
	"TLS", "SSL", "SSLError", "SSLHandshakeException", "certificate", "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "x509",
	"fetch failed", "failed to fetch", "network error", "NetworkError", "connection error", "ConnectionError", "ConnectError", "connect error", "ConnectException", "MaxRetryError", "max retries exceeded", "NewConnectionError", "all connection attempts failed",
	"unable to connect", "failed to connect", "could not connect", "cannot connect", "can't connect", "error sending request for url", "dial tcp", "cURL error",
}

// ResolverExtension adds what resolvers of other platforms say.
var ResolverExtension = []string{
	"Resource temporarily unavailable", "Temporary failure in name resolution", "server misbehaving", "UnknownHostException", "No such host is known", "dns error",
}

// find returns the first word of the lists that a text holds as a word of its
// own, "" for none.
func find(text string, lists ...[]string) string {
	for _, list := range lists {
		for _, word := range list {
			if holds(text, word) {
				return word
			}
		}
	}
	return ""
}

// findFold is find without regard to case.
func findFold(text string, lists ...[]string) string {
	lower := strings.ToLower(text)
	for _, list := range lists {
		for _, word := range list {
			if holds(lower, strings.ToLower(word)) {
				return word
			}
		}
	}
	return ""
}

// holds reports whether a text holds a word that is no part of a longer one.
func holds(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start := from + i
		if !joined(text[:start], word) && !joined(word, text[start+len(word):]) {
			return true
		}
		from = start + 1
	}
}

// option matches an option of a command line, or a parameter of a URL: what is
// called timeout there reports none.
var option = regexp.MustCompile(`(?:^|[\s"'\x60(\[])--?[A-Za-z][\w-]*|[?&][\w.-]+=`)

// failedFetch returns the words of a failed fetch in a text.
func failedFetch(text string) string {
	return findFold(option.ReplaceAllString(text, " "), FailedFetchWords, ResolverExtension)
}

// What looks like a runtime error and is none: most of it is a validator's way
// to name a type.
var (
	typeNote    = regexp.MustCompile(`\[type=[^\]\n]*\]|\b(?:input_type|type)=\w+(?:\.\w+)?`)
	undefinedIs = regexp.MustCompile(`undefined is not (?:an? )?(?:valid|string|number|integer|boolean|array|of type|assignable|allowed|permitted|one of|a member)\b`)
	// fetchFails is a failed fetch, which JavaScript reports as a TypeError.
	fetchFails = regexp.MustCompile(`TypeError: (?:fetch failed|Failed to fetch|NetworkError when attempting to fetch)\b`)
	// These count as such only beside a decision that names a parameter.
	mistakable = regexp.MustCompile(`(?i)index out of range|is not iterable|\b(?:got|received|found|given|not|type|was|is)\b[:\s]{1,3}(?:<class )?["'\x60]?NoneType\b`)
)

// runtimeError returns the words of an unhandled runtime error in a text.
// named: the text is a decision that names a parameter.
func runtimeError(text string, names declared, named bool) string {
	text = typeNote.ReplaceAllString(text, " ")
	text = undefinedIs.ReplaceAllString(text, " ")
	text = fetchFails.ReplaceAllString(text, " ")
	if named {
		text = mistakable.ReplaceAllString(text, " ")
	}
	text = names.blanked(text)
	return find(text, RuntimeErrorWords, RuntimeErrorExtension)
}

// blanked returns a text without the declared names that read like a runtime
// error themselves.
func (d declared) blanked(text string) string {
	for _, name := range d {
		if find(name, RuntimeErrorWords) != "" {
			text = blank(text, name)
		}
	}
	return text
}
