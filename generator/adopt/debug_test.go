package adopt

import (
	"fmt"
	"os"
	"testing"

	"github.com/google/uuid"
)

func TestDebug(t *testing.T) {
	w, err := locate(os.Getenv("SITE"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := look(w)
	if err != nil {
		t.Fatal(err)
	}
	p := propose(s, uuid.Nil)
	fmt.Println(p.text())
	fmt.Println(p.decide)
}
