package publish

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/sealmark/action/internal/publish/fakegithub"
)

// Several jobs post at the same time, in many orders of their requests: one
// comment is left, and where none was there before, it is that of the later of
// two runs.
func TestJobsThatRaceLeaveOneComment(t *testing.T) {
	for seed := range uint64(150) {
		jobs := 2 + int(seed%2)
		before := seed%3 == 0
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, fakegithub.Cloud)
			if before {
				g.Post(g.Login, body("k", "40", "old"))
			}
			// Each request waits at the gate until it is its turn.
			type waiting chan struct{}
			var mu sync.Mutex
			var queue []waiting
			g.Before = func(*http.Request) {
				turn := make(waiting)
				mu.Lock()
				queue = append(queue, turn)
				mu.Unlock()
				<-turn
			}
			var all sync.WaitGroup
			for i := range jobs {
				p := publisher(t, pull())
				all.Go(func() {
					run := fmt.Sprint(50 + i)
					if _, notice := p.PostComment(t.Context(), body("k", run, "of run "+run)); notice != "" && !strings.Contains(notice, "later run") {
						t.Errorf("seed %d, run %s: %s", seed, run, notice)
					}
				})
			}
			order := rand.New(rand.NewPCG(seed, 7))
			for {
				synctest.Wait()
				mu.Lock()
				if len(queue) == 0 {
					mu.Unlock()
					break
				}
				i := order.IntN(len(queue))
				turn := queue[i]
				queue = append(queue[:i], queue[i+1:]...)
				mu.Unlock()
				close(turn)
			}
			all.Wait()
			if len(g.Comments) != 1 {
				t.Fatalf("seed %d: %d comments: %v", seed, len(g.Comments), g.Log)
			}
			if jobs == 2 && !before && !strings.Contains(g.Comments[0].Body, "of run 51") {
				t.Errorf("seed %d: %s", seed, g.Comments[0].Body)
			}
		})
	}
}
