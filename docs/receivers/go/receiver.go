// Receives Paywatch webhooks. Run it behind a proxy that terminates TLS, with the endpoint's secret in PAYWATCH_SECRET:
//
//	PAYWATCH_SECRET=whsec_… PORT=3000 HANDLED=./handled go run .
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

const maxBytes = 1024 * 1024

func main() {
	folder := envOr("HANDLED", "./handled")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		log.Fatal(err)
	}
	secret := os.Getenv("PAYWATCH_SECRET")
	server := &http.Server{
		Addr:         "127.0.0.1:" + envOr("PORT", "3000"),
		ReadTimeout:  30 * time.Second,
		WriteTimeout: 30 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status, text := receive(w, r, secret, folder)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}),
	}
	log.Fatal(server.ListenAndServe())
}

func receive(w http.ResponseWriter, r *http.Request, secret, folder string) (int, string) {
	if r.Method != http.MethodPost {
		return 405, "POST only"
	}
	// The signature covers the raw bytes; JSON that was parsed and serialized again does not match.
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes))
	if err != nil {
		return 413, "too long"
	}
	event, err := verify(rawBody, r.Header.Get("X-Signature"), secret, time.Now())
	if err != nil {
		return 400, err.Error()
	}
	isNew, err := handleOnce(event, folder)
	switch {
	case err != nil:
		// Paywatch retries after any status but 2xx: immediately, after 5 minutes, and so on for a week.
		log.Print(err)
		return 500, "failed"
	case isNew:
		return 200, "handled"
	default:
		return 200, "seen before"
	}
}

// Deliveries repeat. This example marks processed events with files. A shop stores their ids in a unique column, in the
// same transaction as the shipment, so that both are committed or neither is.
func handleOnce(event *Event, folder string) (bool, error) {
	mark := filepath.Join(folder, url.QueryEscape(event.ID))
	file, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := file.Close(); err != nil {
		return false, err
	}
	if err := handle(event); err != nil {
		_ = os.Remove(mark)
		return false, err
	}
	return true, nil
}

func handle(event *Event) error {
	if event.Test {
		return nil
	}
	if event.Type == "invoice.confirmed" && event.Data.Invoice.OrderID != nil {
		fmt.Println("ship order", *event.Data.Invoice.OrderID)
	}
	return nil
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
