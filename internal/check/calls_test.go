package check

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sealmark/action/internal/reply"
)

// TestCalls: what is kept depends neither on the order of the checks nor on
// their lanes, and is bounded.
func TestCalls(t *testing.T) {
	answer := func(n int) reply.Answer {
		return reply.Answer{Kind: reply.Answered, Raw: []byte(strings.Repeat("x", n)), Result: []byte(`{}`)}
	}
	record := func(checks ...string) []string {
		var calls Calls
		var done sync.WaitGroup
		for _, id := range checks {
			done.Go(func() {
				for i := range 2 * CallsPerTool {
					calls.Add(Call{Check: id, Tool: fmt.Sprint("tool", i%2), Probe: fmt.Sprint(i), Expect: Invalid, Answer: answer(10)})
				}
			})
		}
		done.Wait()
		var list []string
		for _, c := range calls.List() {
			list = append(list, c.Check+" "+c.Tool+" "+c.Probe)
		}
		return list
	}
	a, b := record("x", "y"), record("y", "x")
	if !slices.Equal(a, b) || len(a) != 4*CallsPerTool || a[0] != "x tool0 0" || a[1] != "x tool0 2" {
		t.Errorf("%d and %d calls, from %q", len(a), len(b), a[:2])
	}
	var calls Calls
	calls.Add(Call{Tool: "big", Expect: Invalid, Answer: answer(keptOther + 1), Reading: reply.Reading{Text: strings.Repeat("x", keptText+1)}})
	calls.Add(Call{Tool: "big", Expect: Valid, Answer: answer(keptOther + 1)})
	list := calls.List()
	if c := list[0]; !c.Cut || len(c.Answer.Raw) != keptHead || c.Size != keptOther+1 || c.Answer.Result != nil || len(c.Reading.Text) != keptText || c.Answered() {
		t.Errorf("kept %d bytes of %d, %d of text", len(c.Answer.Raw), c.Size, len(c.Reading.Text))
	}
	if c := list[1]; c.Cut || len(c.Answer.Raw) != keptOther+1 || !c.Answered() {
		t.Errorf("kept %d bytes of a valid answer", len(c.Answer.Raw))
	}
	var none *Calls
	none.Add(Call{})
	if none.List() != nil {
		t.Error("a nil record keeps calls")
	}
}
