package page

import "time"

// Time is an instant in microseconds since 1970-01-01T00:00:00Z, the precision
// of the contract (contract.md 2.1). Years run from 0001 to 9999.
type Time int64

const (
	minTime Time = -62135596800_000000 // 0001-01-01T00:00:00.000000Z
	maxTime Time = 253402300799_999999 // 9999-12-31T23:59:59.999999Z
)

// TimeOf returns t in UTC with digits finer than a microsecond cut. It reports
// false for a year outside 0001 to 9999.
func TimeOf(t time.Time) (Time, bool) {
	seconds := Time(t.Unix())
	if seconds < minTime/1_000_000 || seconds > maxTime/1_000_000 {
		return 0, false
	}
	return seconds*1_000_000 + Time(t.Nanosecond()/1000), true
}

// IsValid reports whether t is of a year from 0001 to 9999.
func (t Time) IsValid() bool { return minTime <= t && t <= maxTime }

// Std returns t as a time.Time in UTC.
func (t Time) Std() time.Time { return time.UnixMicro(int64(t)).UTC() }

// AppendTimestamp appends the contract's timestamp: six digits and "Z".
func (t Time) AppendTimestamp(dst []byte) []byte {
	return t.Std().AppendFormat(dst, "2006-01-02T15:04:05.000000Z")
}

// AppendSeconds appends the timestamp of a content's comment, in UTC without a
// zone (contract.md 2.2).
func (t Time) AppendSeconds(dst []byte) []byte {
	return t.Std().AppendFormat(dst, "2006-01-02T15:04:05")
}

// String returns the contract's timestamp.
func (t Time) String() string { return string(t.AppendTimestamp(nil)) }
