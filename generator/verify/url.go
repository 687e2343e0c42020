package verify

import (
	"context"
	"errors"
)

// URL checks the service at a base address, such as "https://api.example.fi/v1":
// it walks it, and then tries requests that no walk makes. An error, often an
// [Error], means that nothing answered, or that ctx ended.
func URL(ctx context.Context, base string, o Options) (*Report, error) {
	base, _, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	client, err := newClient(base, o)
	if err != nil {
		return nil, err
	}
	defer client.close()
	if o.Jobs <= 0 {
		o.Jobs = usualJobs
	}
	c := newChecker(base, o)
	c.answered, c.shown = c.checkHeaders, client.budget.allow
	inner, stop := client.budget.begin(ctx)
	defer stop()
	err = c.checkService(inner, client)
	var spent *spentError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(context.Cause(inner), &spent):
		c.findSpent(spent)
	case err != nil:
		return nil, err
	}
	c.report.Requests = client.requests()
	return c.finish(), nil
}

func (c *checker) checkService(ctx context.Context, client *client) error {
	if there, err := c.begin(ctx, client); err != nil || !there {
		return err
	}
	walk, err := c.walkBoth(ctx, client, true)
	if err != nil {
		return err
	}
	c.part = 2
	return c.checkRequests(ctx, client, walk.matrixInput())
}

// matrixInput returns what the request matrix needs to know of a walk.
func (w *walk) matrixInput() matrixInput {
	in := matrixInput{Lists: max(1, w.due()), Seen: map[listKey]digest{}}
	var ids []uuid
	for i, l := range w.lists {
		if l.address != "" {
			in.Seen[listKey{number: i + 1}] = l.digest
			ids = append(ids, l.ids...)
		}
	}
	for i, id := range ids {
		if (i == 0 || i == len(ids)/2 || i == len(ids)-1) && id != (uuid{}) {
			in.Records = append(in.Records, matrixRecord{ID: id.String()})
		}
	}
	return in
}
