DROP INDEX "pools_window_idx";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "address_limit" integer;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "registered_by" bigint;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "derived_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "history_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "refilled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "limited_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pools" ADD CONSTRAINT "pools_registered_by_projects_id_fk" FOREIGN KEY ("registered_by") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pools_registered_idx" ON "pools" USING btree ("registered_by") WHERE "pools"."owner_project_id" is null;--> statement-breakpoint
CREATE INDEX "pools_limited_idx" ON "pools" USING btree ("id") WHERE "pools"."limited_since" is not null;--> statement-breakpoint
CREATE INDEX "pools_window_idx" ON "pools" USING btree ("refilled_at" NULLS FIRST,"id") WHERE "pools"."derived_until" <= greatest("pools"."last_used_index", "pools"."start_index" - 1)
          + case when "pools"."owner_project_id" is null then least("pools"."gap_limit", 20) else "pools"."gap_limit" end;--> statement-breakpoint
UPDATE "pools" SET "derived_count" = greatest(0, "derived_until" - greatest(1, "start_index")),
  "registered_by" = (SELECT w."project_id" FROM "wallets" w WHERE w."pool_id" = "pools"."id" ORDER BY w."id" DESC LIMIT 1);--> statement-breakpoint
-- No account loses what it has: its limit begins there.
UPDATE "projects" SET "address_limit" = held."addresses"
  FROM (
    SELECT coalesce("owner_project_id", "registered_by") AS "project_id", sum("derived_count") AS "addresses"
    FROM "pools" GROUP BY 1
  ) held
  WHERE held."project_id" = "projects"."id" AND held."addresses" > 2000;
