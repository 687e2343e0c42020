package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/sivu/generator/bucket"
)

// TestEmulatorMinIO publishes the sample site to MinIO, an object store with the S3 API.
func TestEmulatorMinIO(t *testing.T) {
	if os.Getenv("SIVU_EMULATORS") == "" {
		t.Skip("builds MinIO; run make emulators")
	}
	program, err := exec.Command("go", "-C", "testdata/minio", "tool", "-n", "minio").Output()
	if err != nil {
		t.Fatalf("MinIO is not built: %v", err)
	}
	dir, address := t.TempDir(), freeAddress(t)
	data, out := filepath.Join(dir, "data"), filepath.Join(dir, "public")
	if err := os.MkdirAll(filepath.Join(data, "bucket"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MINIO_ROOT_USER", os.Getenv("AWS_ACCESS_KEY_ID"))
	t.Setenv("MINIO_ROOT_PASSWORD", os.Getenv("AWS_SECRET_ACCESS_KEY"))
	t.Setenv("MINIO_UPDATE", "off")
	start(t, &served{dir: dir}, address, strings.TrimSpace(string(program)), "server", "--quiet", "--address", address, data)
	args := []string{"publish", "s3://bucket/v1", "--endpoint", "http://" + address, "--content", "../../content", "--out", out}
	for _, want := range []string{"304 added", "requests    1, 0 B"} {
		said, err := exec.Command("sivu", args...).CombinedOutput()
		if err != nil || !strings.Contains(string(said), want) || strings.Contains(string(said), "conditional") {
			t.Errorf("%v, want %q: %s", err, want, said)
		}
	}
	store, err := bucket.OpenS3("bucket", bucket.S3Options{Endpoint: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range answersBelow(t, out) {
		if object, err := store.Get(t.Context(), "v1/"+name, 1<<20); err != nil || string(object.Data) != string(text) {
			t.Errorf("%s is not as it was built: %v", name, err)
		}
	}
}
