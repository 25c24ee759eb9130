/**
 * Dumps the database, restores the dump into a second database, and compares the rows of the tables that matter most. Only then the
 * dump gets its name. Runs as the system user postgres.
 */
export const BACKUP_SCRIPT = `#!/bin/sh
# Written by \`paywatch install\`. Arguments: database, folder, days to keep.
set -eu
database=$1 folder=$2 days=$3
check=\${database}_restore_check
name=$folder/paywatch-$(date -u +%Y-%m-%dT%H%M%SZ).dump
trap 'rm -f "$name.partial"; dropdb --if-exists "$check"' EXIT
rows='select (select count(*) from drizzle.__drizzle_migrations), (select count(*) from accounts),
  (select count(*) from invoices), (select count(*) from payments), (select count(*) from events)'
query() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$1"
}
# The rows are counted in the snapshot that is dumped, so both counts must be equal.
dumped=$(DUMP=$name.partial DATABASE=$database query "$database" << SQL
begin isolation level repeatable read;
select pg_export_snapshot() as snapshot \\gset
\\setenv SNAPSHOT :snapshot
\\! pg_dump --snapshot="\\$SNAPSHOT" --format=custom --file="\\$DUMP" "\\$DATABASE"
$rows;
commit;
SQL
)
dropdb --if-exists "$check"
createdb "$check"
pg_restore --exit-on-error --no-owner --no-privileges --dbname="$check" "$name.partial"
restored=$(echo "$rows;" | query "$check")
if [ "$dumped" != "$restored" ]; then
  echo "the backup is not restorable: $restored rows instead of $dumped" >&2
  exit 1
fi
mv "$name.partial" "$name"
find "$folder" -name 'paywatch-*.dump' -mtime "+$days" -delete
echo "backup $name was restored and compared: $restored rows of migrations|accounts|invoices|payments|events"
`;

/** Replaces the database by a dump. The operator runs it by hand, with the services stopped. */
export const RESTORE_SCRIPT = `#!/bin/sh
# Written by \`paywatch install\`. Arguments: database, its owner, dump. Run it as postgres while all services are stopped.
set -eu
database=$1 owner=$2 dump=$3
if [ "$(psql --no-psqlrc --tuples-only --no-align --dbname=postgres --command="
  select count(*) from pg_stat_activity where datname = '$database'")" != 0 ]; then
  echo "$database is in use: stop the services first" >&2
  exit 1
fi
fresh=\${database}_restoring
dropdb --if-exists "$fresh"
createdb --owner="$owner" "$fresh"
pg_restore --exit-on-error --dbname="$fresh" "$dump"
kept=\${database}_before_$(date -u +%Y%m%d%H%M%S)
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname=postgres --command="alter database \\"$database\\" rename to \\"$kept\\""
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname=postgres --command="alter database \\"$fresh\\" rename to \\"$database\\""
echo "restored $dump; the previous database is $kept"
`;
