DROP INDEX "deliveries_pending_idx";--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "event_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_pkey";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "further_event_id" bigint;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "endpoint_id" bigint;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "id" bigint PRIMARY KEY NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "webhook_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "public_id" text DEFAULT 'we_' || replace(gen_random_uuid()::text, '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "further_project_id" bigint;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "owner_id" bigint GENERATED ALWAYS AS (coalesce(project_id, further_project_id)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "key" bigint GENERATED ALWAYS AS (coalesce(project_id, -id)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "event_types" text[];--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_further_event_id_events_id_fk" FOREIGN KEY ("further_event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_further_project_id_projects_id_fk" FOREIGN KEY ("further_project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_key_idx" ON "deliveries" USING btree (coalesce(-endpoint_id, project_id),"next_attempt_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_further_idx" ON "deliveries" USING btree ("further_event_id","endpoint_id") WHERE "deliveries"."further_event_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_endpoint_idx" ON "deliveries" USING btree ("endpoint_id","further_event_id") WHERE "deliveries"."endpoint_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_owner_idx" ON "webhook_endpoints" USING btree ("owner_id","id");--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_public_id_unique" UNIQUE("public_id");--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_unique" UNIQUE("project_id");--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_key_unique" UNIQUE("key");--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event" CHECK (("deliveries"."event_id" is null) = ("deliveries"."endpoint_id" is not null) and ("deliveries"."further_event_id" is null) = ("deliveries"."endpoint_id" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project" CHECK (("webhook_endpoints"."project_id" is null) <> ("webhook_endpoints"."further_project_id" is null));