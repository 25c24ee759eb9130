CREATE INDEX "login_origins_last_login_idx" ON "login_origins" USING btree ("last_login_at");--> statement-breakpoint
CREATE INDEX "overlay_donations_tests_idx" ON "overlay_donations" USING btree ("confirmed_at") WHERE "overlay_donations"."test";--> statement-breakpoint
CREATE INDEX "events_tests_idx" ON "events" USING btree ("created_at") WHERE "events"."invoice_id" is null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_previous_idx" ON "webhook_endpoints" USING btree ("previous_secret_until") WHERE "webhook_endpoints"."previous_secret_until" is not null;--> statement-breakpoint
-- A pool counts for its owner alone from its first verification on.
UPDATE "pools" SET "registered_by" = null WHERE "owner_project_id" IS NOT NULL AND "registered_by" IS NOT NULL;
