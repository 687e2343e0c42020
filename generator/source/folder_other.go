//go:build !unix

package source

// openNonblock is nothing where folders hold no FIFOs.
const openNonblock = 0
