module example.com/hull

go 1.21
