package badge

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/result"
)

func graded(letter string, percent float64) *result.Result {
	return &result.Result{Status: result.Assessed, Server: result.Server{Name: "desk"}, Completeness: result.Completeness{State: "complete"}, Score: &result.Score{Letter: letter, Percent: percent}}
}

func TestGolden(t *testing.T) {
	none := &result.Result{Status: result.NotAssessed, Server: result.Server{Key: "desk"}}
	limited := graded("B", 83.3)
	limited.Completeness.State = "partial"
	limited.Deviations = []string{"timeout_probe_sec", "checks.spec.enabled"}
	hostile := graded("F", 12.5)
	hostile.Server.Name = "\"><script>alert(1)</script>\n]]>&x;\x1b[31m\u202e" + strings.Repeat("w", 500)
	hostile.Deviations = []string{`</title><a href="javascript:1">`}
	for name, badge := range map[string]Badge{
		"a": Of(graded("A", 97), "sealmark"), "not-assessed": Of(none, "sealmark"), "limited": Of(limited, "parcel desk"),
		"hostile": Of(hostile, `<b onload="x">&`),
	} {
		golden.Check(t, filepath.Join("testdata", name+".svg"), string(badge.SVG()))
		golden.Check(t, filepath.Join("testdata", name+".json"), string(badge.Endpoint()))
	}
}

func TestOf(t *testing.T) {
	unknown, missing, claims := graded("Z<", 50), graded("A", 1), graded("A", 99)
	missing.Score = nil
	claims.Status = result.NotAssessed
	for name, r := range map[string]*result.Result{"a letter that is none": unknown, "no score": missing, "a score without status": claims} {
		if b := Of(r, "sealmark"); b.Message != "not assessed" || b.Color != grey {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// contrast is the contrast of white text on a colour (WCAG 2.2, contrast
// ratio).
func contrast(t *testing.T, color string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(color, 16, 24)
	if err != nil {
		t.Fatal(err)
	}
	luminance := 0.0
	for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
		c := float64(n>>(8*i)&0xff) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		luminance += weight * c
	}
	return 1.05 / (luminance + 0.05)
}

func TestContrast(t *testing.T) {
	for _, color := range append([]string{dark, grey}, slices.Collect(maps.Values(colors))...) {
		if c := contrast(t, color); c < 4.5 {
			t.Errorf("#%s has a contrast of %.2f", color, c)
		}
	}
}

// parse reads a badge as strictly as a browser reads an SVG file: its elements
// and texts. It holds each element and attribute against those that a badge
// makes.
func parse(t *testing.T, svg []byte) (texts []string) {
	t.Helper()
	allowed := map[string][]string{
		"svg": {"xmlns", "width", "height", "role", "aria-label"}, "title": nil, "clipPath": {"id"}, "g": {"clip-path", "fill", "font-family", "font-size"},
		"rect": {"x", "width", "height", "rx", "fill"}, "text": {"x", "y", "textLength", "lengthAdjust"},
	}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	count := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			count++
			attributes, known := allowed[token.Name.Local]
			if !known {
				t.Errorf("an element %s\n%s", token.Name.Local, svg)
			}
			for _, a := range token.Attr {
				if !slices.Contains(attributes, a.Name.Local) {
					t.Errorf("an attribute %s of %s\n%s", a.Name.Local, token.Name.Local, svg)
				}
			}
		case xml.CharData:
			if s := strings.TrimSpace(string(token)); s != "" {
				texts = append(texts, s)
			}
		case xml.Comment, xml.Directive, xml.ProcInst:
			t.Errorf("%T\n%s", token, svg)
		}
	}
	if count != 10 {
		t.Errorf("%d elements\n%s", count, svg)
	}
	return texts
}

func FuzzBadge(f *testing.F) {
	f.Add("sealmark", "desk", "A", "")
	f.Add(`"><script>`, "</title>\x00\ufffe\xff", "F", "]]>&#x0;")
	f.Add("", "\u202e'\"", "<", "x")
	f.Fuzz(func(t *testing.T, label, name, letter, key string) {
		r := graded(letter, 50)
		r.Server.Name, r.Deviations = name, []string{key}
		b := Of(r, label)
		texts := parse(t, b.SVG())
		if len(texts) < 2 || texts[0] != strings.TrimSpace(b.Title) {
			t.Errorf("%q of %+v", texts, b)
		}
		var endpoint map[string]any
		if err := json.Unmarshal(b.Endpoint(), &endpoint); err != nil || len(endpoint) != 4 || endpoint["message"] != b.Message {
			t.Errorf("%v: %v", err, endpoint)
		}
		if !utf8.ValidString(b.Label) || len(b.SVG()) > 5000 {
			t.Errorf("%q, %d bytes", b.Label, len(b.SVG()))
		}
	})
}

// A longer text needs more room, and one in letters that the table lacks has
// some too.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "sealmark": 51, "A · 97 %": 46, "not assessed": 72, "é": 7, "漢字": 22} {
		if got := width(text); got != want {
			t.Errorf("%q is %d wide, want %d", text, got, want)
		}
	}
}
