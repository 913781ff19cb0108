package rule

import "fmt"

// Counted writes a count with its noun: "1 call", "2 calls".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
