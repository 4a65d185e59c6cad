package remote

import (
	"context"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// s3Bucket makes and deletes objects in a bucket of S3 by one request each. An upload in
// parts would end with a request whose condition nobody has tried, and takes more memory.
type s3Bucket struct {
	client     *s3.Client
	name       string
	encryption types.ServerSideEncryption
	key        string // for the encryption, in the service
}

// create makes an object of at most 5 GB, unless it is there.
func (b *s3Bucket) create(ctx context.Context, key string, content io.ReadSeeker) error {
	in := &s3.PutObjectInput{
		Bucket: &b.name, Key: &key, Body: content, IfNoneMatch: aws.String("*"), ContentType: aws.String(contentType),
		ServerSideEncryption: b.encryption,
	}
	if b.key != "" {
		in.SSEKMSKeyId = &b.key
	}
	_, err := b.client.PutObject(ctx, in)
	return err
}

// remove deletes an object. One that is not there is no error of S3.
func (b *s3Bucket) remove(ctx context.Context, key string) error {
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &key})
	return err
}

// secrets are the credentials in use.
func (b *s3Bucket) secrets(ctx context.Context) []string {
	provider := b.client.Options().Credentials
	if provider == nil {
		return nil
	}
	c, err := provider.Retrieve(context.WithoutCancel(ctx))
	if err != nil {
		return nil
	}
	return []string{c.AccessKeyID, c.SecretAccessKey, c.SessionToken}
}
