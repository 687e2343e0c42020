package host

import "slices"

var firebasePlan = &plan{
	name: "firebase", title: "Firebase Hosting", styles: fileStyles,
	cache: cacheDeploy, folder: inPrefix,
	AtRoot:  []string{"404.html"},
	Beside:  []string{"firebase.json"},
	script:  "firebase/upload.sh",
	Secrets: []string{"FIREBASE_KEY"},
	Vars:    []string{"FIREBASE_PROJECT"},
	Tools:   []string{"npm"},
}

// firebase sets headers, knows which file answers for the list, and redirects the
// contract's address of a record to its file: rewrites cannot name files by a
// pattern.
var firebase = &Host{
	Name:   firebasePlan.name,
	Title:  firebasePlan.title,
	Level:  Walkable,
	Styles: firebasePlan.styles,
	Tried: "a simulator of the rules in the conformance test, and the hosting emulator of firebase-tools 15.34.2 (make emulators), which differs: " +
		"it never answers 304 (conditional-request), and it answers other methods as it does GET: OPTIONS has status 200 (options-status), and there is no 405 whose body could be wrong (method-body)",
	Limits: Limits{FileBytes: 2 << 30, Source: "Firebase's limits"},
	Cannot: slices.Concat(ignoresQuery, ownMethods, []Exception{
		{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		{"redirect", "it redirects the address of a record to its file, with status 301 and no headers of one's own"},
	}),

	InRoot: func(*Config) ([]File, error) { return []File{notFoundPage()}, nil },
	Configure: func(c *Config) ([]File, error) {
		return firebasePlan.fill(c, part{"firebase/firebase.json", "firebase.json", "your repository, in deploy/; upload.sh takes it along", 0})
	},
	Upload: firebasePlan.upload,
}
