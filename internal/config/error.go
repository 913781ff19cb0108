package config

import (
	"errors"
	"fmt"
)

// Origin is where a value was set. The zero Origin is a default.
type Origin struct {
	// File is the path of a configuration file. Line and Column count from 1,
	// 0 for the file as a whole.
	File         string
	Line, Column int
	// Flag is a flag or an input in place of a file: "--timeout-probe",
	// "input timeout".
	Flag string
}

// String is "FILE:LINE:COLUMN", the file, the flag, or "" for a default.
func (o Origin) String() string {
	if o.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Column)
	}
	return o.File + o.Flag
}

// Error is a fault in the configuration, on one line.
type Error struct {
	Origin
	// Key is the dotted name of the setting at fault, "" if there is none.
	Key     string
	Message string
}

func (e *Error) Error() string {
	if place := e.Origin.String(); place != "" {
		return place + ": " + e.Message
	}
	return e.Message
}

// maxErrors is how many errors are told at once.
const maxErrors = 20

// faults collects errors.
type faults struct {
	list []error
	more int
}

func (f *faults) add(at Origin, key, format string, args ...any) {
	if len(f.list) == maxErrors {
		f.more++
		return
	}
	f.list = append(f.list, &Error{at, key, fmt.Sprintf(format, args...)})
}

// err joins the errors, nil if there are none.
func (f *faults) err() error {
	if f.more > 0 {
		return errors.Join(append(f.list, fmt.Errorf("and %d more errors", f.more))...)
	}
	return errors.Join(f.list...)
}
