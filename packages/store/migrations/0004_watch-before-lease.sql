ALTER TABLE "pool_addresses" DROP CONSTRAINT "pool_addresses_state";--> statement-breakpoint
DROP INDEX "pool_addresses_released_idx";--> statement-breakpoint
DROP INDEX "pools_refill_idx";--> statement-breakpoint
ALTER TABLE "pool_addresses" ALTER COLUMN "state" SET DEFAULT 'derived';--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD COLUMN "history_asked" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- True for the rows that are there, which are not written for it.
ALTER TABLE "pool_addresses" ALTER COLUMN "history_asked" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD COLUMN "has_history" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD COLUMN "donated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "history_wanted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD CONSTRAINT "pool_addresses_state" CHECK ("pool_addresses"."state" in ('derived', 'free', 'leased', 'retired'));--> statement-breakpoint
-- Nobody has watched these: they are leasable again after their history was asked for and the mempool was read.
UPDATE "pool_addresses" SET "state" = 'derived', "history_asked" = false
  WHERE "state" = 'free' AND "released_at" IS NULL AND "lease_count" = 0;--> statement-breakpoint
UPDATE "pool_addresses" a SET "donated" = true
  WHERE a."lease_count" > 0 AND a."state" IN ('free', 'leased') AND EXISTS (
    SELECT FROM "address_leases" l JOIN "invoices" i ON i."id" = l."invoice_id"
    WHERE l."script" = a."script" AND l."pool_id" = a."pool_id" AND i."type" = 'donation');--> statement-breakpoint
CREATE INDEX "pool_addresses_rested_idx" ON "pool_addresses" USING btree ("pool_id","last_project_id","donated","released_at") WHERE "pool_addresses"."state" = 'free' and "pool_addresses"."released_at" is not null;--> statement-breakpoint
CREATE INDEX "pool_addresses_derived_idx" ON "pool_addresses" USING btree ("pool_id","address_index") WHERE "pool_addresses"."state" = 'derived';--> statement-breakpoint
CREATE INDEX "pool_addresses_unasked_idx" ON "pool_addresses" USING btree ("pool_id","address_index") WHERE not "pool_addresses"."history_asked" and "pool_addresses"."state" in ('derived', 'free');--> statement-breakpoint
CREATE INDEX "pools_window_idx" ON "pools" USING btree ("id") WHERE "pools"."derived_until" <= greatest("pools"."last_used_index", "pools"."start_index" - 1)
          + case when "pools"."owner_project_id" is null then least("pools"."gap_limit", 20) else "pools"."gap_limit" end;