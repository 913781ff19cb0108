package contract

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// content returns the blocks of a result, or says as the end of a sentence
// what is wrong with them (MCP, Server features, Tools, Tool result).
func content(result map[string]json.RawMessage) (blocks []json.RawMessage, fault string) {
	switch raw := bytes.TrimSpace(result["content"]); {
	case result == nil:
		return nil, "that is no object"
	case len(raw) == 0:
		return nil, "without content"
	case raw[0] != '[':
		return nil, "whose content is no list"
	}
	json.Unmarshal(result["content"], &blocks)
	return blocks, ""
}

// blockFault says what is wrong with a content block, "" for nothing.
func blockFault(raw json.RawMessage) string {
	var block map[string]json.RawMessage
	if json.Unmarshal(raw, &block) != nil || block == nil {
		return "it is no object"
	}
	kind, ok := rawjson.Text(block["type"])
	if !ok {
		return "it has no type"
	}
	switch kind {
	case "text":
		if _, ok := rawjson.Text(block["text"]); !ok {
			return "a text block has no text"
		}
	case "image", "audio":
		if mime, ok := rawjson.Text(block["mimeType"]); !ok || mime == "" {
			return fmt.Sprintf("a block of type %s has no mimeType", kind)
		}
		return encodingFault(block["data"], kind, "data")
	case "resource":
		return resourceFault(block["resource"])
	case "resource_link":
		for _, member := range []string{"uri", "name"} {
			if value, ok := rawjson.Text(block[member]); !ok || value == "" {
				return "a resource link has no " + member
			}
		}
	default:
		return fmt.Sprintf("the type %q is unknown", kind)
	}
	return ""
}

func resourceFault(raw json.RawMessage) string {
	var resource map[string]json.RawMessage
	if json.Unmarshal(raw, &resource) != nil || resource == nil {
		return "a block of type resource holds none"
	}
	if uri, ok := rawjson.Text(resource["uri"]); !ok || uri == "" {
		return "an embedded resource has no uri"
	}
	_, isText := rawjson.Text(resource["text"])
	if blob := resource["blob"]; blob != nil && !isText {
		return encodingFault(blob, "resource", "blob")
	}
	if !isText {
		return "an embedded resource has neither text nor blob"
	}
	return ""
}

func encodingFault(raw json.RawMessage, kind, member string) string {
	data, ok := rawjson.Text(raw)
	if !ok {
		return fmt.Sprintf("a block of type %s has no %s", kind, member)
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil {
		return fmt.Sprintf("the %s of a block of type %s is no base64", member, kind)
	}
	return ""
}

// blank reports whether content blocks say nothing.
func blank(blocks []json.RawMessage) bool {
	for _, raw := range blocks {
		var block map[string]json.RawMessage
		json.Unmarshal(raw, &block)
		value, isText := rawjson.Text(block["text"])
		if kind, _ := rawjson.Text(block["type"]); kind != "text" || !isText || strings.TrimSpace(value) != "" {
			return false
		}
	}
	return true
}
