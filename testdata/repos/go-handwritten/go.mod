module example.com/oar

go 1.21
