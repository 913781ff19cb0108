# Longer runs that CI leaves out, and shortcuts. `go test -race ./...` runs all
# tests.
FUZZTIME ?= 60s

.PHONY: ci docs golden fuzz corpus

ci: ## what CI runs
	bash .ci/run

docs: ## write the generated pages
	go run ./cmd/sealmark docs .

golden: ## rewrite the golden files
	go test ./internal/report ./internal/explain ./internal/argument ./sarif ./cmd/sealmark -update

fuzz: ## run each fuzz target for FUZZTIME
	@set -e; for file in $$(grep -rl '^func Fuzz' --include='*_test.go' .); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' $$file); do \
			echo "== $$target in $$(dirname $$file)"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s ./$$(dirname $$file); \
		done; \
	done

corpus: ## run the real servers of the corpus and hold Sealmark against what was recorded of them
	@modules=$$(scripts/corpus-servers) && echo "servers: $$modules" && \
		SEALMARK_CORPUS="$$modules" go test -count=1 -v -timeout 60m -run '^TestCorpus$$' ./cmd/sealmark
