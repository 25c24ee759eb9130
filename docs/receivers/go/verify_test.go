package main

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

// TestVectors checks every vector in ../vectors.json.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Title   string            `json:"title"`
		Secret  string            `json:"secret"`
		Now     int64             `json:"now"`
		Body    string            `json:"body"`
		Headers map[string]string `json:"headers"`
		Accept  bool              `json:"accept"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, vector := range vectors {
		_, err := verify([]byte(vector.Body), vector.Headers["X-Signature"], vector.Secret, time.Unix(vector.Now, 0))
		if (err == nil) != vector.Accept {
			t.Errorf("%s: %v", vector.Title, err)
		}
	}
}
