package target

import (
	"path"
	"regexp"
	"strings"

	"github.com/sealmark/action/internal/result"
)

var (
	gradleApplication = regexp.MustCompile(`(?m)^\s*(?:application\s*$|id\s*\(?\s*["']application["']|apply plugin:\s*["']application["'])`)
	gradleSpring      = regexp.MustCompile(`org\.springframework\.boot["']`)
	gradleShadow      = regexp.MustCompile(`["'](?:com\.gradleup\.shadow|com\.github\.johnrengelman\.shadow|io\.github\.goooler\.shadow)["']`)
	gradleVersion     = regexp.MustCompile(`(?m)^\s*version\s*=?\s*["']([^"'$\n]+)["']`)
	gradleName        = regexp.MustCompile(`rootProject\.name\s*=\s*["']([^"'$\n]+)["']`)
	gradleStarter     = regexp.MustCompile(`spring-ai(-starter)?-mcp-server[a-z-]*|quarkus-mcp-server-[a-z]+`)
)

func findGradle(f *finder, file string) {
	dir := path.Dir(file)
	if f.exists(path.Join(dir, "pom.xml")) {
		return
	}
	data := f.source(file)
	all := f.look(jvm, f.own(dir, f.holding("build.gradle", "build.gradle.kts")))
	starter := gradleStarter.FindIndex(data)
	if !all.isServer() && starter == nil {
		if jvmSDK.Match(data) || all.isClient() || len(f.below(path.Join(dir, "src"), nil)) > 0 {
			f.rejectJVM(file, data, all)
		}
		return
	}
	root := f.gradleRoot(dir)
	name := path.Base(dir)
	if root == dir {
		name = f.gradleName(dir)
	}
	task, command, at := gradleProgram(file, name, data)
	if task == "" {
		f.reject(weightLibrary, why(file, 0, "is a server, but no plugin makes a program that can be run (application, Spring Boot, shadow)"))
		return
	}
	if root != dir {
		task = ":" + strings.ReplaceAll(from(root, dir), "/", ":") + ":" + task
	}
	c := &candidate{ecosystem: "maven", published: name, aliases: []string{name}, entry: path.Join(dir, command[len(command)-1])}
	c.Name, c.Detector, c.Directory, c.Rank = name, "build.gradle", dir, rankGradle
	c.Build = []Step{{Args: []string{f.wrapper(root, "gradlew", "gradle"), "--no-daemon", "--quiet", task}, Dir: root}}
	c.Launch = all.launch(command, "8080")
	if command[0] == "java" {
		c.Launch, c.Alternatives = all.jvmLaunches(command, data)
	}
	c.Why = []result.Why{at, starterWhy(all, file, data, starter)}
	f.add(c)
}

// gradleProgram is the task that makes a program that can be run, and how it is
// started.
func gradleProgram(file, name string, data []byte) (task string, command []string, at result.Why) {
	version := ""
	if m := gradleVersion.FindSubmatch(data); m != nil {
		version = "-" + string(m[1])
	}
	if strings.ContainsAny(name+version, "/\\${}\n") || isOption(name) {
		return "", nil, at
	}
	for _, plugin := range []struct {
		shows *regexp.Regexp
		task  string
		start []string
	}{
		{gradleSpring, "bootJar", []string{"java", "-jar", "build/libs/" + name + version + ".jar"}},
		{gradleApplication, "installDist", []string{"build/install/" + name + "/bin/" + name}},
		{gradleShadow, "shadowJar", []string{"java", "-jar", "build/libs/" + name + version + "-all.jar"}},
	} {
		if m := plugin.shows.FindIndex(data); m != nil {
			at := mention(file, data, m)
			at.Text = "the plugin " + at.Text + " makes a program with " + plugin.task
			return plugin.task, plugin.start, at
		}
	}
	return "", nil, at
}

// gradleRoot is the folder with the settings of a project.
func (f *finder) gradleRoot(dir string) string {
	for up := dir; ; up = path.Dir(up) {
		if f.exists(path.Join(up, "settings.gradle")) || f.exists(path.Join(up, "settings.gradle.kts")) {
			return up
		}
		if up == "." {
			return dir
		}
	}
}

func (f *finder) gradleName(dir string) string {
	for _, file := range []string{"settings.gradle", "settings.gradle.kts"} {
		if m := gradleName.FindSubmatch(f.source(path.Join(dir, file))); m != nil {
			return string(m[1])
		}
	}
	return path.Base(dir)
}
