package session

// Tool returns the first listed tool of a name.
func (s *Snapshot) Tool(name string) (Tool, bool) {
	for _, t := range s.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// ReadOnly reports whether a tool declares that it changes nothing. Where
// several are listed under one name, nobody knows which one is called, so each
// of them has to.
func (s *Snapshot) ReadOnly(name string) bool {
	listed := false
	for _, t := range s.Tools {
		if t.Name != name {
			continue
		}
		if hint := t.Annotations.ReadOnlyHint; hint == nil || !*hint {
			return false
		}
		listed = true
	}
	return listed
}
