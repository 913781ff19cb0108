module github.com/sealmark/action

go 1.26
