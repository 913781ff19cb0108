package target

import "testing"

func TestCommandOfTheRunner(t *testing.T) {
	for line, want := range map[string]string{
		"::set-env name=PATH::/x": "set-env", "  ::ADD-PATH::/x": "ADD-PATH", "##[add-mask]x": "add-mask", "done ##[set-output name=a;]b": "set-output", "::stop-commands::x": "stop-commands",
		"::error file=a.js,line=1::wrong": "", "::group::Tests": "", "std::set-env::x": "", "the command ::set-env::": "", "use ::set-env": "",
	} {
		l := newBuildLog(nil, nil)
		l.Write([]byte(line + "\n"))
		if l.command != want {
			t.Errorf("%s: %q, want %q", line, l.command, want)
		}
	}
}
