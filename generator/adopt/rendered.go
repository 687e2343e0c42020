package adopt

// addRendered proposes how the pages of a rendered site are read.
func (p *proposal) addRendered() {}
