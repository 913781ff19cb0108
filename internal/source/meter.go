package source

// What looking for places may cost at most, in steps from token to token: for
// one place, and for all. A file of some hundred lines takes some thousand
// steps. They are counted, and not timed, so that a repository has the same
// places each time.
const (
	maxSteps    = 40_000_000
	maxAllSteps = 400_000_000
)

// meter counts the steps of a search.
type meter struct{ left, all int }

// spent is the panic that ends a search which costs too much. It does not
// leave this package.
type spent struct{}

func (m *meter) take(n int) {
	if m.left -= n; m.left < 0 {
		panic(spent{})
	}
}

// bounded runs a search. It returns false if that costs too much.
func (m *meter) bounded(search func()) (ok bool) {
	grant := min(maxSteps, m.all)
	m.left = grant
	defer func() {
		m.all -= grant - max(0, m.left)
		if r := recover(); r != nil {
			if _, is := r.(spent); !is {
				panic(r)
			}
			ok = false
		}
	}()
	search()
	return true
}
