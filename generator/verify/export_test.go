package verify

// WalkRules are the rules that a folder is checked for.
var WalkRules = walkRules
