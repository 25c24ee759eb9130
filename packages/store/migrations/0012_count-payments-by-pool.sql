ALTER TABLE "project_stats" ADD COLUMN "pool_paid" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What was paid so far, whoever created the invoice.
INSERT INTO "project_stats" AS s ("project_id", "day", "shard", "pool_paid")
  SELECT p."owner_project_id", '-infinity', -1, count(*)
  FROM "invoices" i JOIN "pools" p ON p."id" = i."pool_id"
  WHERE i."status" IN ('confirmed', 'underpaid', 'late_payment') AND p."owner_project_id" IS NOT NULL
  GROUP BY p."owner_project_id"
  ON CONFLICT ("project_id", "day", "shard") DO UPDATE SET "pool_paid" = excluded."pool_paid";
