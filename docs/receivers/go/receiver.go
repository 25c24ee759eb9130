// Takes Paywatch's webhooks. Run it behind the proxy that ends TLS, with the endpoint's secret in PAYWATCH_SECRET:
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

const mostBytes = 1024 * 1024

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
	// The bytes as they came: JSON that was parsed and written again does not match the signature.
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
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
		// Anything but a 2xx is sent again: at once, then after 5 minutes, and so on for a week.
		log.Print(err)
		return 500, "failed"
	case isNew:
		return 200, "handled"
	default:
		return 200, "seen before"
	}
}

// Deliveries repeat. A file stands here for what a shop has in its database: a unique column of ids, filled in the
// transaction that ships, so that neither can be without the other.
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
