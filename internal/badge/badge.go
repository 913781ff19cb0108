// Package badge makes badges of results: a picture for a README, and the JSON
// of which shields.io makes one.
package badge

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
)

// Badge is what a badge says.
type Badge struct {
	// Label stands on the left, Message on the right.
	Label, Message string
	// Color is that of the right half, six hexadecimal digits. White text on
	// it has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3).
	Color string
	// Title says in a sentence what the badge shows, for those who point at it
	// or can't see it.
	Title string
}

// The colours of the letters, and of a server without one.
var colors = map[string]string{"A": "1a7f37", "B": "4d7c0f", "C": "8a6100", "D": "b04600", "F": "cf222e"}

const (
	dark = "24292f"
	grey = "57606a"
	// maxText bounds each text, in bytes.
	maxText = 100
)

// Of returns the badge of a result. What the result says may come from
// anybody.
func Of(r *result.Result, label string) Badge {
	b := Badge{Label: line(label), Message: "not assessed", Color: grey}
	server := line(r.Server.Name)
	if server == "" {
		server = line(r.Server.Key)
	}
	b.Title = "Sealmark: " + server + " was not assessed"
	color, known := "", false
	if r.Score != nil {
		color, known = colors[r.Score.Letter]
	}
	if r.Status != result.Assessed || !known {
		return b
	}
	percent := strings.TrimSuffix(fmt.Sprintf("%.1f", r.Score.Percent), ".0")
	b.Message, b.Color = r.Score.Letter+" · "+percent+" %", color
	b.Title = fmt.Sprintf("Sealmark: %s has grade %s, %s %%", server, r.Score.Letter, percent)
	if r.Completeness.State == "partial" {
		b.Message += ", incomplete"
		b.Title += ". The run was incomplete"
	}
	if len(r.Deviations) > 0 {
		b.Message += ", non-standard"
		b.Title += ". The run was non-standard: " + line(strings.Join(r.Deviations, ", "))
	}
	return b
}

// line is a foreign text on one line, bounded and without control characters.
func line(s string) string { return strings.TrimSpace((*redact.Redactor)(nil).Line(s, maxText)) }

// Endpoint returns the JSON that shields.io reads from an address
// (https://shields.io/badges/endpoint-badge).
func (b Badge) Endpoint() []byte {
	data, err := json.MarshalIndent(struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, b.Label, b.Message, b.Color}, "", "  ")
	if err != nil {
		panic(err) // four strings and a number
	}
	return append(data, '\n')
}

// SVG returns the picture. It loads and runs nothing.
func (b Badge) SVG() []byte {
	const padding = 6
	left, right := width(b.Label), width(b.Message)
	edge, whole := left+2*padding, left+right+4*padding
	var s strings.Builder
	title := html.EscapeString(b.Title)
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s">`+"\n", whole, title)
	fmt.Fprintf(&s, "<title>%s</title>\n", title)
	fmt.Fprintf(&s, `<clipPath id="c"><rect width="%d" height="20" rx="3"/></clipPath>`+"\n", whole)
	fmt.Fprintf(&s, `<g clip-path="url(#c)"><rect width="%d" height="20" fill="#%s"/><rect x="%d" width="%d" height="20" fill="#%s"/></g>`+"\n", edge, dark, edge, whole-edge, b.Color)
	s.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">` + "\n")
	// textLength makes the texts fit where the font is another one.
	for _, part := range []struct {
		x, width int
		text     string
	}{{padding, left, b.Label}, {edge + padding, right, b.Message}} {
		fmt.Fprintf(&s, `<text x="%d" y="14" textLength="%d" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n", part.x, part.width, html.EscapeString(part.text))
	}
	s.WriteString("</g>\n</svg>\n")
	return []byte(s.String())
}

// widths are those of the characters from space to tilde in DejaVu Sans, which
// has the proportions of Verdana, in tenths of a pixel at 11 pixels.
var widths = [...]int{
	35, 44, 51, 92, 70, 105, 86, 30, 43, 43, 55, 92, 35, 40, 35, 37,
	70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 37, 37, 92, 92, 92, 58,
	110, 75, 75, 77, 85, 70, 63, 85, 83, 32, 32, 72, 61, 95, 82, 87,
	66, 87, 76, 70, 67, 81, 75, 109, 75, 67, 75, 43, 37, 43, 92, 55,
	55, 67, 70, 60, 70, 68, 39, 70, 70, 31, 31, 64, 31, 107, 70, 67,
	70, 70, 45, 57, 43, 70, 65, 90, 65, 65, 58, 70, 37, 70, 92,
}

// width is the width of a text in pixels at a size of 11, rounded up.
func width(s string) int {
	tenths := 0
	for _, c := range s {
		switch i := int(c) - ' '; {
		case i >= 0 && i < len(widths):
			tenths += widths[i]
		case c == '·':
			tenths += 35
		case c < 0x300: // Latin letters with marks
			tenths += 70
		default: // wide enough for all other scripts
			tenths += 110
		}
	}
	return (tenths + 9) / 10
}
