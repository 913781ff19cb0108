package redact

import (
	"bytes"
	"strconv"
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
	// nothing was decoded.
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
// and without line ends (wrapped base64).
func views(raw []byte) []view {
	list := []view{{text: raw}}
	for range 2 {
		last := list[len(list)-1]
		if bytes.IndexByte(last.text, '\\') < 0 {
			break
		}
		list = append(list, last.decoded(unescape))
	}
	for _, v := range list {
		if bytes.IndexByte(v.text, '\n') >= 0 {
			list = append(list, v.decoded(unwrap))
		}
		if bytes.IndexByte(v.text, '%') < 0 {
			continue
		}
		plain := v.decoded(unpercent)
		list = append(list, plain)
		if bytes.IndexByte(plain.text, '\\') >= 0 {
			list = append(list, plain.decoded(unescape))
		}
	}
	return list
}

// decoder decodes the beginning of a text into out: n bytes of in become m
// bytes. n is 0 if the text does not begin with an encoded character.
type decoder func(in []byte, out *[utf8.UTFMax]byte) (n, m int)

func (v view) decoded(decode decoder) view {
	size := len(v.text)
	d := view{make([]byte, 0, size), make([]int32, 0, size), make([]int32, 0, size)}
	var out [utf8.UTFMax]byte
	for i := 0; i < size; {
		n, m := decode(v.text[i:], &out)
		if n == 0 {
			n, m, out[0] = 1, 1, v.text[i]
		}
		from, to := v.raw(i, i+n)
		for _, c := range out[:m] {
			d.text = append(d.text, c)
			d.from = append(d.from, int32(from))
			d.to = append(d.to, int32(to))
		}
		i += n
	}
	return d
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
	c, err := strconv.ParseUint(string(in[1:3]), 16, 8)
	if err != nil {
		return 0, 0
	}
	out[0] = byte(c)
	return 3, 1
}

// unescape decodes an escape of JSON strings (RFC 8259, section 7).
func unescape(in []byte, out *[utf8.UTFMax]byte) (n, m int) {
	if in[0] != '\\' || len(in) < 2 {
		return 0, 0
	}
	const short, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := bytes.IndexByte([]byte(short), in[1]); i >= 0 {
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
	c, err := strconv.ParseUint(string(in[2:6]), 16, 16)
	return rune(c), err == nil
}
