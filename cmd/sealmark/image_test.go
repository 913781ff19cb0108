package main

import "testing"

func TestImage(t *testing.T) {}
