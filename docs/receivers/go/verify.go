package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// Reasons to reject a request: not sent by Paywatch, or not recently. Never process its body.
var (
	errMalformed = errors.New("X-Signature is not t=<unix time>,v1=<hex>")
	errMismatch  = errors.New("no signature matches")
	errTime      = errors.New("signed more than 5 minutes from now")
	errBody      = errors.New("the body is not an event")
)

var (
	timePattern      = regexp.MustCompile(`^t=([0-9]{1,12})$`)
	signaturePattern = regexp.MustCompile(`^v1=([0-9a-f]{64})$`)
)

// Event contains the fields that this receiver uses.
type Event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Test bool   `json:"test"`
	Data struct {
		Invoice struct {
			OrderID *string `json:"order_id"`
		} `json:"invoice"`
	} `json:"data"`
}

// verify returns the event in a raw body, or the reason to reject it.
func verify(rawBody []byte, header, secret string, now time.Time) (*Event, error) {
	if !strings.HasPrefix(secret, "whsec_") {
		return nil, errors.New("the secret must begin with whsec_")
	}
	var times []string
	var signatures [][]byte
	for _, part := range strings.Split(header, ",") {
		part = strings.TrimSpace(part)
		if match := timePattern.FindStringSubmatch(part); match != nil {
			times = append(times, match[1])
		} else if match := signaturePattern.FindStringSubmatch(part); match != nil {
			bytes, _ := hex.DecodeString(match[1])
			signatures = append(signatures, bytes)
		}
	}
	if len(times) != 1 || len(signatures) == 0 {
		return nil, errMalformed
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(times[0] + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	matches := false
	for _, signature := range signatures {
		// hmac.Equal compares in constant time.
		matches = hmac.Equal(expected, signature) || matches
	}
	if !matches {
		return nil, errMismatch
	}
	seconds, _ := strconv.ParseInt(times[0], 10, 64)
	if age := now.Unix() - seconds; age > int64(tolerance.Seconds()) || -age > int64(tolerance.Seconds()) {
		return nil, errTime
	}
	var event Event
	if json.Unmarshal(rawBody, &event) != nil || event.ID == "" {
		return nil, errBody
	}
	return &event, nil
}
