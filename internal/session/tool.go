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
