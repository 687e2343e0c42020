package host

import "slices"

// firebase sets headers, answers the address of the list, and redirects the
// contract's address of a record to its file: rewrites cannot name files by a
// pattern.
var firebase = &Host{
	Name:  "firebase",
	Title: "Firebase Hosting",
	Level: Walkable,
	TestedWith: "a simulator of the rules in the conformance test, and the hosting emulator of firebase-tools 15.34.2 (make emulators), which differs: " +
		"it never answers 304 (conditional-request), and it answers other methods as it does GET: OPTIONS has status 200 (options-status), and there is no 405 whose body could be wrong (method-body)",
	Limits: Limits{FileBytes: 2 << 30, Source: "Firebase's limits"},
	Cannot: slices.Concat(ignoresQuery, ownMethods, []Exception{
		{"not-found-status", "it ignores the query, so page=0 answers as the list does"},
		{"redirect", "it redirects the address of a record to its file, with status 301 and no headers of one's own"},
	}),

	InRoot: []Part{notFoundPage},
	Configure: []Part{
		{Template: "firebase/firebase.json", Name: "firebase.json",
			Where: "your repository, in deploy/; upload.sh takes it along"},
	},
	Deploy: Deploy{
		Cache:   cacheDeploy,
		Mount:   (*Config).Prefix,
		AtRoot:  []string{"404.html"},
		Beside:  []string{"firebase.json"},
		Script:  "firebase/upload.sh",
		Secrets: []string{"FIREBASE_KEY"},
		Vars:    []string{"FIREBASE_PROJECT"},
		Tools:   []string{"npm"},
	},
}
