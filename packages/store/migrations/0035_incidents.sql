CREATE TABLE "incidents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"component" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "incidents_component" CHECK ("incidents"."component" in ('BTC', 'LTC', 'webhooks', 'mail')),
	CONSTRAINT "incidents_times" CHECK ("incidents"."ended_at" is null or "incidents"."ended_at" >= "incidents"."started_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_open" ON "incidents" USING btree ("component") WHERE "incidents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "incidents_started_idx" ON "incidents" USING btree ("started_at");