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
	last := len(w.lists)
	for _, number := range []int{1, 2, in.Lists} {
		if number <= last && w.lists[number-1].digest != 0 {
			in.Seen[listKey{number: number}] = w.lists[number-1].digest
		}
	}
	for i, l := range w.lists {
		if l.order != 0 && (len(in.Records) == 0 || i == last/2 || i == last-1) {
			in.Records = append(in.Records, matrixRecord{ID: l.first.String()})
		}
	}
	return in
}
