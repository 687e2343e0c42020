package bucket

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"gopkg.in/ini.v1"
)

// S3Options say where an S3-compatible store is. What is "" comes from the
// environment (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL; AWS_REGION,
// AWS_DEFAULT_REGION), then from the profile that AWS_PROFILE names, or else from
// Amazon's own.
type S3Options struct {
	Endpoint  string
	Region    string
	Transport http.RoundTripper // nil: that of the library
}

// OpenS3 returns a bucket of an S3-compatible store. Credentials come from the
// environment, a web identity or container, profiles, or the metadata of an
// EC2 machine. Nothing is asked of the store; that there are credentials is checked.
func OpenS3(bucket string, o S3Options) (Store, error) {
	profile := loadProfile()
	endpoint, err := parseEndpoint(cmp.Or(o.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), profile.endpoint, amazon))
	if err != nil {
		return nil, err
	}
	region := cmp.Or(o.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), profile.region)
	if region == "" && endpoint.Host != amazonHost {
		region = "us-east-1" // what most other stores take; for Amazon's the library asks
		if strings.HasSuffix(endpoint.Hostname(), ".r2.cloudflarestorage.com") {
			region = "auto"
		}
	}
	s := &s3Store{bucket: bucket, endpoint: endpoint.String(), creds: credentials.NewChainCredentials(providers())}
	if err := s.checkCredentials(profile.name); err != nil {
		return nil, err
	}
	s.client, err = minio.NewCore(endpoint.Host, &minio.Options{
		Creds: s.creds, Secure: endpoint.Scheme == "https", Region: region, Transport: o.Transport, MaxRetries: maxAttempts,
	})
	if err != nil {
		return nil, &Error{"cannot use the endpoint " + s.endpoint + ": " + err.Error(), "", err}
	}
	s.client.SetAppInfo("sivu", "1")
	return s, nil
}

const (
	amazonHost = "s3.amazonaws.com"
	amazon     = "https://" + amazonHost

	// maxAttempts is how often a request is made whose failure may pass, with pauses
	// that grow to a second.
	maxAttempts = 10
)

type s3Store struct {
	client   *minio.Core
	creds    *credentials.Credentials
	bucket   string
	endpoint string // for messages
}

func parseEndpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") != "" {
		return nil, &Error{fmt.Sprintf("the endpoint %q is not the address of an object store", text),
			"give scheme and host alone, as in https://s3.eu-north-1.amazonaws.com or http://127.0.0.1:9000", nil}
	}
	u.Path = ""
	return u, nil
}

// profile is a profile without its credentials.
type profile struct{ name, region, endpoint string }

// loadProfile reads ~/.aws/config. What cannot be read counts as not there: the
// library, which reads the same file for credentials, says what is wrong with it.
func loadProfile() profile {
	p := profile{name: cmp.Or(os.Getenv("AWS_PROFILE"), "default")}
	name := os.Getenv("AWS_CONFIG_FILE")
	if home, err := os.UserHomeDir(); name == "" && err == nil {
		name = filepath.Join(home, ".aws", "config")
	}
	file, err := ini.Load(name)
	if err != nil {
		return p
	}
	name = "profile " + p.name
	if p.name == "default" && !file.HasSection(name) {
		name = p.name
	}
	section := file.Section(name)
	p.region, p.endpoint = section.Key("region").String(), section.Key("endpoint_url").String()
	return p
}

// providers are the places where credentials are looked for, in the order of the
// AWS tools.
func providers() []credentials.Provider {
	list := []credentials.Provider{&credentials.EnvAWS{}}
	instance := &credentials.IAM{Client: &http.Client{Timeout: 10 * time.Second}}
	if os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != "" {
		list = append(list, instance)
	}
	list = append(list, &credentials.FileAWSCredentials{})
	container := os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" || os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != ""
	if !container {
		instance = &credentials.IAM{Client: &http.Client{Timeout: 2 * time.Second}} // elsewhere nobody answers
	}
	if container || os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" {
		list = append(list, instance)
	}
	return list
}

// checkCredentials looks for credentials before the first request, which the
// library would make without a signature.
func (s *s3Store) checkCredentials(profile string) error {
	env, _ := (&credentials.EnvAWS{}).Retrieve()
	if set, missing := "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"; (env.AccessKeyID == "") != (env.SecretAccessKey == "") {
		if env.AccessKeyID == "" {
			set, missing = missing, set
		}
		return &Error{set + " is set, and " + missing + " is not", "set both, or neither and AWS_PROFILE", nil}
	}
	value, err := s.creds.GetWithContext(&credentials.CredContext{Client: http.DefaultClient})
	if err == nil && value.AccessKeyID != "" {
		return nil
	}
	message := "there are no credentials for " + s.endpoint
	if os.Getenv("AWS_PROFILE") != "" {
		_, err = (&credentials.FileAWSCredentials{}).Retrieve()
		message = fmt.Sprintf("there are no credentials for %s in the profile %q", s.endpoint, profile)
	}
	if err != nil {
		message += ": " + err.Error()
	}
	return &Error{message, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to one of the profiles in ~/.aws", err}
}

func (s *s3Store) Get(ctx context.Context, key string, limit int64) (*Object, error) {
	body, info, header, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, s.explain(ctx, "read", key, err)
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, s.explain(ctx, "read", key, err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("cannot read %s: %w", s.name(key), ErrTooLarge)
	}
	now, err := http.ParseTime(header.Get("Date")) // the library has made sure of Last-Modified
	if err != nil {
		now = time.Now()
	}
	return &Object{
		Data: data, ETag: info.ETag, Age: now.Sub(info.LastModified),
		Headers: Headers{header.Get("Content-Type"), header.Get("Cache-Control")},
	}, nil
}

// Put makes one request, whose answer is the ETag of a single part. Its body is
// signed and has an MD5, so that nothing is kept that was damaged on the way.
func (s *s3Store) Put(ctx context.Context, key string, data []byte, h Headers, c Condition) (string, error) {
	// Without the hash of its body a request over plain HTTP would be signed in chunks,
	// which not every store knows; there is one below.
	options := minio.PutObjectOptions{ContentType: h.ContentType, CacheControl: h.CacheControl, DisableContentSha256: true}
	switch {
	case c.None:
		options.SetMatchETagExcept("*")
	case c.Match != "":
		options.SetMatchETag(c.Match)
	}
	sum5, sum256 := md5.Sum(data), sha256.Sum256(data)
	info, err := s.client.PutObject(ctx, s.bucket, key, bytes.NewReader(data), int64(len(data)),
		base64.StdEncoding.EncodeToString(sum5[:]), hex.EncodeToString(sum256[:]), options)
	if err != nil {
		return "", s.explain(ctx, "write", key, err)
	}
	return info.ETag, nil
}

func (s *s3Store) List(ctx context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for info := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if info.Err != nil {
				yield(Listed{}, s.explain(ctx, "list", prefix, info.Err))
				return
			}
			if !yield(Listed{info.Key, info.ETag}, nil) {
				return
			}
		}
		if ctx.Err() != nil {
			yield(Listed{}, context.Cause(ctx))
		}
	}
}

func (s *s3Store) Delete(ctx context.Context, key string) error {
	err := s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{})
	if err == nil || minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil
	}
	return s.explain(ctx, "remove", key, err)
}

func (s *s3Store) name(key string) string { return Address{Bucket: s.bucket}.url(key) }

// explain returns a failure as an error for people, with a hint.
func (s *s3Store) explain(ctx context.Context, verb, key string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	answer := minio.ToErrorResponse(err)
	fail := func(message, hint string) error { return &Error{message, hint, err} }
	switch answer.Code {
	case minio.NoSuchKey:
		return fmt.Errorf("%s is not there: %w", s.name(key), fs.ErrNotExist)
	case minio.PreconditionFailed, "ConditionalRequestConflict", "OperationAborted":
		return fmt.Errorf("cannot %s %s: %w", verb, s.name(key), ErrCondition)
	case minio.NotImplemented:
		return fmt.Errorf("cannot %s %s: %w", verb, s.name(key), ErrUnsupported)
	case minio.NoSuchBucket:
		return fail(fmt.Sprintf("there is no bucket %q at %s", s.bucket, s.endpoint), "make it, or look at the name, --endpoint and --region")
	case minio.AccessDenied:
		return fail(fmt.Sprintf("cannot %s %s: access denied", verb, s.name(key)),
			"the credentials need s3:GetObject, s3:PutObject and s3:DeleteObject for the objects, and s3:ListBucket for the bucket")
	case "InvalidAccessKeyId", "XAdminUserNotFound", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "Unauthorized":
		return fail(fmt.Sprintf("%s does not accept the credentials: %s", s.endpoint, err), "look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_PROFILE")
	case "RequestTimeTooSkewed":
		return fail(fmt.Sprintf("%s does not accept the time of this machine: %s", s.endpoint, err), "set its clock")
	case "PermanentRedirect", "AuthorizationHeaderMalformed", minio.InvalidRegion, "IllegalLocationConstraintException", "301 Moved Permanently":
		hint := "give the region of the bucket with --region"
		if answer.Region != "" {
			hint = "give --region " + answer.Region
		}
		return fail(fmt.Sprintf("the bucket %q is in another region: %s", s.bucket, err), hint)
	}
	if answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized {
		return fail(fmt.Sprintf("cannot %s %s: %s", verb, s.name(key), err), "look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_PROFILE, and at what they may do")
	}
	var network net.Error
	if answer.Code == "" && errors.As(err, &network) {
		reason := err
		if wrapped := new(url.Error); errors.As(err, &wrapped) {
			reason = wrapped.Err // what is around it repeats the address
		}
		return fail(fmt.Sprintf("cannot reach %s: %s", s.endpoint, reason), "look at --endpoint and the network")
	}
	return fail(fmt.Sprintf("cannot %s %s: %s", verb, s.name(key), err), "")
}
