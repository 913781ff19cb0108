package target

import (
	"path"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// project is what is read of a *.csproj.
type project struct {
	SDK    string `xml:"Sdk,attr"`
	Groups []struct {
		OutputType   string `xml:"OutputType"`
		AssemblyName string `xml:"AssemblyName"`
		PackageID    string `xml:"PackageId"`
		IsTest       string `xml:"IsTestProject"`
	} `xml:"PropertyGroup"`
	Items []struct {
		Packages []struct {
			Include string `xml:"Include,attr"`
		} `xml:"PackageReference"`
	} `xml:"ItemGroup"`
}

func findDotnet(f *finder, file string) {
	dir := path.Dir(file)
	data, err := f.load(file, maxFile)
	var p project
	if err == nil {
		err = parseXML(data, &p)
	}
	if err != nil {
		f.reject(weightBroken, why(file, 0, "can't be read: %s", shown(err.Error())))
		return
	}
	name := strings.TrimSuffix(path.Base(file), ".csproj")
	assembly, published, runs, sdk := name, name, strings.HasSuffix(p.SDK, ".Web"), ""
	for _, group := range p.Groups {
		runs = runs || strings.EqualFold(group.OutputType, "Exe")
		if strings.EqualFold(group.IsTest, "true") {
			return
		}
		if group.AssemblyName != "" && !strings.ContainsAny(group.AssemblyName, "$/\\") {
			assembly = group.AssemblyName
		}
		if group.PackageID != "" {
			published = group.PackageID
		}
	}
	for _, item := range p.Items {
		for _, needed := range item.Packages {
			if strings.HasPrefix(needed.Include, "ModelContextProtocol") || strings.HasPrefix(needed.Include, "MCPSharp") || strings.HasPrefix(needed.Include, "mcpdotnet") {
				sdk = needed.Include
			}
		}
	}
	all := f.look(csharp, f.own(dir, f.holding(".csproj")))
	if !all.isServer() || !runs {
		f.rejectOther(file, fakeDependency(sdk, lineOf(data, sdk)), []string{sdk}, all)
		return
	}
	c := &candidate{ecosystem: "nuget", published: published, aliases: []string{name, assembly}, entry: file}
	c.Name, c.Detector, c.Directory, c.Rank = name, "*.csproj", dir, rankDotnet
	c.Build = []Step{{Args: []string{"dotnet", "build", "--configuration", "Release", "--output", ".sealmark/out", "./" + path.Base(file)}, Dir: dir}}
	c.Launch = all.launch([]string{"dotnet", ".sealmark/out/" + assembly + ".dll"}, "5000")
	if c.URL != "" && c.Env == nil {
		c.URL = "http://127.0.0.1:" + PortPlaceholder + "/"
		if all.route != "" {
			c.URL = "http://127.0.0.1:" + PortPlaceholder + all.route
		}
		c.Env = []Variable{{Name: "ASPNETCORE_URLS", Value: "http://127.0.0.1:" + PortPlaceholder, Why: why(file, 0, "a web project listens where this says")}}
	}
	c.Why = []result.Why{why(file, lineOf(data, "OutputType"), "a program: %s", shown(assembly)), serverWhy(all)}
	f.add(c)
}

// lineOf is the line of the first mention of a word, 0 if there is none.
func lineOf(data []byte, word string) int {
	before, _, found := strings.Cut(string(data), word)
	if !found || word == "" {
		return 0
	}
	return 1 + strings.Count(before, "\n")
}

// fakeDependency is a table with one dependency, none for "".
func fakeDependency(name string, line int) *node {
	n := &node{kind: table}
	if name != "" {
		n.set(name, &node{line: line})
	}
	return n
}
