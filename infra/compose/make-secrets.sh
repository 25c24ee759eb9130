#!/bin/sh
# Makes every secret that compose.yaml names, once: passwords, URLs with them, the key that seals webhook secrets, and a certificate for Redis
# of an authority whose key is thrown away. A file that is there stays as it is. Needs openssl.
#   sh infra/compose/make-secrets.sh [folder]
set -eu
umask 077
folder=${1:-secrets}
mkdir -p "$folder"
chmod 700 "$folder"

# write NAME: what comes in, unless the file is there.
write() {
  if [ -e "$folder/$1" ]; then cat > /dev/null; else cat > "$folder/$1"; fi
}
password() { openssl rand -hex 24; }
read_secret() { cat "$folder/$1"; }

for name in postgres_password service_password retention_password read_password redis_password grafana_password; do
  password | write "$name"
done
echo "k1:$(openssl rand -base64 32)" | write encryption_keys

service=$(read_secret service_password)
echo "postgres://paywatch:$(read_secret postgres_password)@postgres:5432/paywatch" | write owner_url
echo "postgres://paywatch_service:$service@postgres:5432/paywatch" | write database_url
echo "postgres://paywatch_service:$service@pgbouncer:6432/paywatch" | write pooled_url
echo "postgres://paywatch_retention:$(read_secret retention_password)@postgres:5432/paywatch" | write retention_url

redis=$(read_secret redis_password)
ca='ca_file=/run/secrets/redis_ca'
echo "rediss://:$redis@redis:6379?$ca" | write redis_url
echo "rediss+cluster://:$redis@redis-1:6379,redis-2:6379,redis-3:6379?$ca" | write redis_cluster_url
write redis_conf << CONF
port 0
tls-port 6379
tls-cert-file /run/secrets/redis_cert
tls-key-file /run/secrets/redis_key
tls-ca-cert-file /run/secrets/redis_ca
tls-auth-clients no
requirepass $redis
masterauth $redis
maxmemory-policy noeviction
CONF

if [ ! -e "$folder/redis_cert" ]; then
  names='DNS:redis,DNS:redis-1,DNS:redis-2,DNS:redis-3,DNS:redis-4,DNS:redis-5,DNS:redis-6'
  work=$(mktemp -d)
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=Paywatch Redis authority' \
    -keyout "$work/ca.key" -out "$folder/redis_ca" 2> /dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=redis' \
    -keyout "$folder/redis_key" -out "$work/redis.csr" 2> /dev/null
  echo "subjectAltName=$names" > "$work/names"
  openssl x509 -req -in "$work/redis.csr" -CA "$folder/redis_ca" -CAkey "$work/ca.key" -CAserial "$work/serial" -CAcreateserial -days 3650 \
    -extfile "$work/names" -out "$folder/redis_cert" 2> /dev/null
  rm -r "$work"
fi

# The folder keeps other users of this machine out; containers read the files that they are given as users of their own.
chmod 444 "$folder"/*
cat << NEXT
Secrets are in $folder. Keep a copy of encryption_keys apart from the backups of the database.
For --profile cluster put these lines into .env:
  DATABASE_URL_SECRET=./$folder/pooled_url
  DATABASE_DIRECT_URL_SECRET=./$folder/database_url
  REDIS_URL_SECRET=./$folder/redis_cluster_url
NEXT
