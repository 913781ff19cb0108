package target

func findDocker(f *finder, file string) {
	if f.dockerfile == "" {
		f.dockerfile = file
	}
}
