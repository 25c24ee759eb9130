module paywatch.example/receiver

go 1.19
