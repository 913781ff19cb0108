package result

import "encoding/json"

// Surface is what the server offers, as far as clients build on it. Texts are
// redacted, members sorted, sizes bounded.
type Surface struct {
	// Capabilities are the declared capabilities as a whole.
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	// Instructions is the digest of the instructions, "" for none.
	Instructions string       `json:"instructions,omitempty"`
	Tools        []Definition `json:"tools"`
	Resources    []Definition `json:"resources"`
	Templates    []Definition `json:"resource_templates"`
	Prompts      []Definition `json:"prompts"`
}

// Definition is what the server declares of one tool, resource, template or
// prompt.
type Definition struct {
	// Name is the name, or the URI of a resource and of a template.
	Name string `json:"name"`
	// Digest is that of the whole definition, "" if it can't be written without
	// a secret. It is the same as long as the definition is.
	Digest string `json:"digest,omitempty"`
	// Declared holds the members that clients see: title, description,
	// inputSchema, outputSchema and annotations of a tool, arguments of a
	// prompt, mimeType of a resource. Nil if they are too large.
	Declared json.RawMessage `json:"declared,omitempty"`
}
