package redact

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	const secret = "s3cret-value"
	r := New(map[string]string{"TOKEN": secret, "PIN": "1234567", "OBJECT": `{"a":"b"}`})
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", `{ "a" : "\u202e<&>", "b": [1.50, null] }`, `{ "a" : "\u202e<&>", "b": [1.50, null] }`},
		{"text", `{"b":"x ` + secret + ` y","a":[1.50,null,true,{}],"c":"<&>"}`, `{"b":"x [redacted:TOKEN] y","a":[1.50,null,true,{}],"c":"<&>"}`},
		{"name", `{"` + secret + `":[[],"",{"a":{}}]}`, `{"[redacted:TOKEN]":[[],"",{"a":{}}]}`},
		{"alone", `"` + secret + `"`, `"[redacted:TOKEN]"`},
		{"number", `[1234567,12]`, `["[redacted:PIN]",12]`},
		{"escaped", `["s3cret\u002dvalue"]`, `["[redacted:TOKEN]"]`},
		{"encoded", `["` + base64.StdEncoding.EncodeToString([]byte(secret+secret)) + `"]`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.JSON([]byte(tt.in))
			if err != nil || tt.want != "" && string(got) != tt.want || len(r.Find(got)) > 0 {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	for _, in := range []string{`{"x":{"a":"b"}}`, `["` + secret + `"`, secret} {
		if got, err := r.JSON([]byte(in)); err == nil {
			t.Errorf("%s became %s", in, got)
		}
	}
	long := `"` + strings.Repeat("x", 1<<20) + secret + `"`
	if got, err := r.JSON([]byte(long)); err != nil || len(got) < 1<<20 || strings.Contains(string(got), "more)") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
