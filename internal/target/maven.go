package target

import (
	"bytes"
	"encoding/xml"
	"path"
	"regexp"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// pom is what is read of pom.xml.
type pom struct {
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Packaging  string `xml:"packaging"`
	Parent     struct {
		Version string `xml:"version"`
	} `xml:"parent"`
	Modules    []string `xml:"modules>module"`
	Properties struct {
		Inner []byte `xml:",innerxml"`
	} `xml:"properties"`
	Dependencies []struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
	} `xml:"dependencies>dependency"`
	Build struct {
		FinalName string `xml:"finalName"`
		Plugins   []struct {
			ArtifactID string `xml:"artifactId"`
			Inner      []byte `xml:",innerxml"`
		} `xml:"plugins>plugin"`
	} `xml:"build"`
}

// parseXML reads an XML document. Entities of its own are refused.
func parseXML(data []byte, into any) error {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	return d.Decode(into)
}

func findMaven(f *finder, file string) {
	dir := path.Dir(file)
	data, err := f.load(file, maxFile)
	var p pom
	if err == nil {
		err = parseXML(data, &p)
	}
	if err != nil {
		f.reject(weightBroken, why(file, 0, "can't be read: %s", shown(err.Error())))
		return
	}
	if p.Packaging == "pom" || len(p.Modules) > 0 {
		return // its modules are looked at
	}
	all := f.look(jvm, f.own(dir, f.holding("pom.xml", "build.gradle", "build.gradle.kts")))
	starter := regexp.MustCompile(`spring-ai(-starter)?-mcp-server[a-z-]*|spring-ai-mcp-server[a-z-]*starter|quarkus-mcp-server-[a-z]+`).FindIndex(data)
	if !all.isServer() && starter == nil {
		f.rejectJVM(file, data, all)
		return
	}
	jar, at := p.jar(file, data)
	if jar == "" {
		f.reject(weightLibrary, why(file, 0, "is a server, but no plugin makes a jar that can be run (spring-boot, shade, assembly, quarkus, or a jar with a main class)"))
		return
	}
	mvn := f.wrapper(dir, "mvnw", "mvn")
	c := &candidate{ecosystem: "maven", published: p.ArtifactID, aliases: []string{p.ArtifactID}, entry: path.Join(dir, jar)}
	c.Name, c.Detector, c.Directory, c.Rank = p.ArtifactID, "pom.xml", dir, rankMaven
	c.Build = []Step{{Args: []string{mvn, "--batch-mode", "--quiet", "-DskipTests", "package"}, Dir: dir}}
	c.Launch, c.Alternatives = all.jvmLaunches([]string{"java", "-jar", jar}, data)
	c.Why = []result.Why{at, starterWhy(all, file, data, starter)}
	f.add(c)
}

// wrapper is the build tool, as the project brings it along if it does.
func (f *finder) wrapper(dir, script, program string) string {
	if f.exists(path.Join(dir, script)) {
		return "./" + script
	}
	return program
}

// starterWhy is what shows a server: the source, or a starter among the
// dependencies.
func starterWhy(e evidence, file string, data []byte, starter []int) result.Why {
	if e.isServer() {
		return serverWhy(e)
	}
	w := mention(file, data, starter)
	w.Text = "depends on " + w.Text
	return w
}

// jvmLaunches are the ways to reach a server. A starter for the web serves over
// HTTP; which of its two transports is set elsewhere.
func (e evidence) jvmLaunches(command []string, build []byte) (Launch, []Launch) {
	port := ""
	switch {
	case bytes.Contains(build, []byte("mcp-server-webmvc")), bytes.Contains(build, []byte("mcp-server-webflux")):
		port = "-Dserver.port="
	case bytes.Contains(build, []byte("quarkus-mcp-server-sse")), bytes.Contains(build, []byte("quarkus-mcp-server-http")):
		port = "-Dquarkus.http.port="
	default:
		return e.launch(command, "8080"), nil
	}
	command = append([]string{command[0], port + PortPlaceholder}, command[1:]...)
	at := func(transport, route string) Launch {
		return Launch{Command: command, URL: "http://127.0.0.1:" + PortPlaceholder + route, Transport: transport}
	}
	if strings.Contains(port, "quarkus") {
		return at(StreamableHTTP, "/mcp"), []Launch{at(SSE, "/mcp/sse")}
	}
	return at(StreamableHTTP, "/mcp"), []Launch{at(SSE, "/sse")}
}

// property replaces ${name} by a property of the document.
func (p *pom) property(text string) string {
	for range 5 {
		m := regexp.MustCompile(`\$\{([\w.-]+)\}`).FindStringSubmatchIndex(text)
		if m == nil {
			return text
		}
		value := ""
		switch name := text[m[2]:m[3]]; name {
		case "project.version", "version":
			value = p.version()
		case "project.artifactId", "artifactId":
			value = p.ArtifactID
		default:
			tag := regexp.QuoteMeta(name)
			if v := regexp.MustCompile(`<` + tag + `>\s*([^<]*?)\s*</` + tag + `>`).FindSubmatch(p.Properties.Inner); v != nil {
				value = string(v[1])
			}
		}
		if value == "" || strings.Contains(value, text[m[0]:m[1]]) {
			return text
		}
		text = text[:m[0]] + value + text[m[1]:]
	}
	return text
}

func (p *pom) version() string {
	if p.Version != "" {
		return p.Version
	}
	return p.Parent.Version
}

// jar is the jar that can be run, "" if none is made.
func (p *pom) jar(file string, data []byte) (jar string, at result.Why) {
	name := p.Build.FinalName
	if name == "" {
		name = p.ArtifactID + "-" + p.version()
	}
	name = p.property(strings.TrimSpace(name))
	if strings.ContainsAny(name, "${}/\\\n") || isOption(name) {
		return "", result.Why{}
	}
	for _, plugin := range p.Build.Plugins {
		jar := ""
		switch id := plugin.ArtifactID; {
		case id == "quarkus-maven-plugin":
			jar = "target/quarkus-app/quarkus-run.jar"
			if bytes.Contains(data, []byte("uber-jar")) {
				jar = "target/" + name + "-runner.jar"
			}
		case id == "spring-boot-maven-plugin", id == "maven-shade-plugin":
			jar = "target/" + name + ".jar"
		case id == "maven-assembly-plugin" && bytes.Contains(plugin.Inner, []byte("jar-with-dependencies")):
			jar = "target/" + name + "-jar-with-dependencies.jar"
			if bytes.Contains(bytes.ReplaceAll(plugin.Inner, []byte(" "), nil), []byte("<appendAssemblyId>false")) {
				jar = "target/" + name + ".jar"
			}
		case id == "maven-jar-plugin" && bytes.Contains(plugin.Inner, []byte("mainClass")):
			jar = "target/" + name + ".jar"
		}
		if jar == "" {
			continue
		}
		i := bytes.Index(data, []byte("<artifactId>"+plugin.ArtifactID+"<"))
		return jar, why(file, 1+bytes.Count(data[:max(0, i)], []byte("\n")), "%s makes the jar %s", shown(plugin.ArtifactID), shown(jar))
	}
	return "", result.Why{}
}

var jvmSDK = regexp.MustCompile(`io\.modelcontextprotocol|spring-ai[a-z-]*mcp[a-z-]*|quarkus-mcp[a-z-]*|quarkus-langchain4j-mcp`)

func (f *finder) rejectJVM(file string, data []byte, all evidence) {
	switch m := jvmSDK.FindIndex(data); {
	case all.isClient():
		f.reject(weightClient, why(file, 0, "is a client: %s uses the client side of MCP, and nothing in its source makes a server", place(all.client)))
	case m != nil:
		w := mention(file, data, m)
		w.Text = "depends on " + w.Text + ", but no source file makes a server with it"
		f.reject(weightLibrary, w)
	default:
		f.reject(weightNoSDK, why(file, 0, "names no MCP SDK, and no source file answers initialize"))
	}
}
