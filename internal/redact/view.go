package redact

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxEncoded is how many bytes one byte of a secret takes at most in the
// encodings that are looked through: a percent sign and two digits, each of
// them twice escaped in JSON ("\\u0025" thrice), or less.
const maxEncoded = 24

// view is a text as it reads after decoding.
type view struct {
	text []byte
	// from and to hold where in the raw text each byte comes from; nil if
	// nothing was decoded, or nobody asked.
	from, to []int32
}

// raw returns the place in the raw text of the bytes from start up to end,
// which are not none.
func (v view) raw(start, end int) (rawStart, rawEnd int) {
	if v.from == nil {
		return start, end
	}
	return int(v.from[start]), int(v.to[end-1])
}

// views returns a text as it is and as it reads without JSON escapes, once and
// twice, each also without percent encoding (and what JSON escapes that hid),
// and without line ends (wrapped base64). places asks for the places in the
// raw text.
func views(raw []byte, places bool) []view {
	list := []view{{text: raw}}
	for range 2 {
		last := list[len(list)-1]
		if bytes.IndexByte(last.text, '\\') < 0 {
			break
		}
		list = append(list, last.decoded(jsonEscape, places))
	}
	for _, v := range list {
		if bytes.IndexByte(v.text, '\n') >= 0 {
			list = append(list, v.decoded(lineEnd, places))
		}
		if bytes.IndexByte(v.text, '%') < 0 {
			continue
		}
		plain := v.decoded(percent, places)
		list = append(list, plain)
		if bytes.IndexByte(plain.text, '\\') >= 0 {
			list = append(list, plain.decoded(jsonEscape, places))
		}
	}
	return list
}

// decoder undoes an encoding. Encoded characters begin with one of leads.
// decode decodes the first one of in into out: n bytes become m bytes. n is 0
// if it is not encoded after all.
type decoder struct {
	leads  string
	decode func(in []byte, out *[utf8.UTFMax]byte) (n, m int)
}

var (
	jsonEscape = decoder{`\`, unescape}
	percent    = decoder{"%", unpercent}
	lineEnd    = decoder{"\r\n", unwrap}
)

func (v view) decoded(d decoder, places bool) view {
	size := len(v.text)
	w := view{text: make([]byte, 0, size)}
	if places {
		w.from, w.to = make([]int32, 0, size), make([]int32, 0, size)
	}
	// put writes bytes that were those from start up to end: one for one if
	// there are as many, else each stands for all.
	put := func(text []byte, start, end int) {
		w.text = append(w.text, text...)
		if !places {
			return
		}
		for i := range text {
			first, behind := start, end
			if len(text) == end-start {
				first, behind = start+i, start+i+1
			}
			from, to := v.raw(first, behind)
			w.from, w.to = append(w.from, int32(from)), append(w.to, int32(to))
		}
	}
	var out [utf8.UTFMax]byte
	for i := 0; i < size; {
		next := bytes.IndexAny(v.text[i:], d.leads)
		if next < 0 {
			next = size - i
		}
		put(v.text[i:i+next], i, i+next)
		if i += next; i == size {
			break
		}
		n, m := d.decode(v.text[i:], &out)
		if n == 0 {
			put(v.text[i:i+1], i, i+1)
			i++
			continue
		}
		put(out[:m], i, i+n)
		i += n
	}
	return w
}

func unwrap(in []byte, _ *[utf8.UTFMax]byte) (n, m int) {
	if in[0] == '\n' || in[0] == '\r' {
		return 1, 0
	}
	return 0, 0
}

func unpercent(in []byte, out *[utf8.UTFMax]byte) (n, m int) {
	if in[0] != '%' || len(in) < 3 {
		return 0, 0
	}
	c, ok := hex(in[1:3])
	out[0] = byte(c)
	if !ok {
		return 0, 0
	}
	return 3, 1
}

// unescape decodes an escape of JSON strings (RFC 8259, section 7).
func unescape(in []byte, out *[utf8.UTFMax]byte) (n, m int) {
	if in[0] != '\\' || len(in) < 2 {
		return 0, 0
	}
	const short, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(short, in[1]); i >= 0 {
		out[0] = meant[i]
		return 2, 1
	}
	c, ok := unit(in)
	if !ok {
		return 0, 0
	}
	n = 6
	if utf16.IsSurrogate(c) {
		low, _ := unit(in[6:])
		if c = utf16.DecodeRune(c, low); c != utf8.RuneError {
			n = 12
		}
	}
	return n, utf8.EncodeRune(out[:], c)
}

// unit reads \uXXXX.
func unit(in []byte) (rune, bool) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, false
	}
	return hex(in[2:6])
}

// hex reads digits to the base 16.
func hex(digits []byte) (value rune, ok bool) {
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			value = value<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return value, true
}
