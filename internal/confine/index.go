package confine

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

// index are the paths that Git has, sorted. The nil index has none.
type index struct{ names []string }

// readIndex reads the paths of Git's index file, versions 2 to 4
// (gitformat-index(5)). What can't be read has no paths.
func readIndex(data []byte) *index {
	x := &index{}
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return x
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return x
	}
	// The file does not say how long its object names are.
	for _, hash := range []int{20, 32} {
		if names, ok := entries(data[12:], version, count, hash); ok {
			slices.Sort(names)
			x.names = names
			return x
		}
	}
	return x
}

func entries(data []byte, version, count uint32, hash int) (names []string, ok bool) {
	last, total := "", 0
	for range count {
		fixed := 40 + hash + 2
		if len(data) < fixed {
			return nil, false
		}
		flags := binary.BigEndian.Uint16(data[fixed-2:])
		if flags&0x4000 != 0 && version >= 3 {
			fixed += 2
		}
		at := fixed
		if version == 4 {
			cut, n := offset(data[min(at, len(data)):])
			if n == 0 || cut > uint64(len(last)) {
				return nil, false
			}
			at += n
			last = last[:len(last)-int(cut)]
		} else {
			last = ""
		}
		if at > len(data) {
			return nil, false
		}
		end := bytes.IndexByte(data[at:], 0)
		if end < 0 || len(last)+end > 4096 {
			return nil, false
		}
		last += string(data[at : at+end])
		if length := int(flags & 0xfff); length < 0xfff && length != len(last) {
			return nil, false
		}
		if total += len(last); total > maxSmallFile {
			return nil, false
		}
		names = append(names, last)
		next := at + end + 1
		if version < 4 {
			next = (at + end + 8) / 8 * 8 // padded with 1 to 8 zeros
		}
		if next > len(data) {
			return nil, false
		}
		data = data[next:]
	}
	return names, true
}

// offset reads a number as Git's packs hold offsets.
func offset(data []byte) (value uint64, n int) {
	for n < len(data) && n < 8 {
		c := data[n]
		n++
		value = value<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
}

// has reports whether Git has a file, or anything in a folder.
func (x *index) has(name string, folder bool) bool {
	if x == nil {
		return false
	}
	if folder {
		name += "/"
	}
	i := sort.SearchStrings(x.names, name)
	if i == len(x.names) {
		return false
	}
	return x.names[i] == name || folder && strings.HasPrefix(x.names[i], name)
}
