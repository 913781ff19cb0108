//go:build !unix

package main

import "testing"

func checkOwner(*testing.T, string) {}
