// Command sivu-serve is a plain file server for a snapshot with file or
// file+query links, as any static host is one: it maps addresses to files and
// knows nothing of the contract.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	folder := flag.String("root", "public", "`folder` to serve")
	port := flag.Int("port", 8000, "`port` on the loopback interface")
	flag.Parse()
	if err := serve(ctx, *folder, *port); err != nil {
		fmt.Fprintln(os.Stderr, "sivu-serve:", err)
		os.Exit(1)
	}
}

// serve answers requests until ctx ends.
func serve(ctx context.Context, folder string, port int) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := net.Listen("tcp", net.JoinHostPort("localhost", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("%w; give another port with -port", err)
	}
	server := &http.Server{Handler: handler(root), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Printf("serving %s at http://localhost:%d/pages/index.json; Ctrl-C ends it\n", folder, port)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler serves the files of root but those that are sivu's own or hidden.
func handler(root *os.Root) http.Handler {
	files := http.FileServerFS(root.FS())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/.") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		files.ServeHTTP(w, r)
	})
}
