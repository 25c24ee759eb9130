CREATE TABLE "fiat_totals" (
	"project_id" bigint NOT NULL,
	"fiat_currency" text NOT NULL,
	"shard" smallint NOT NULL,
	"amount" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "fiat_totals_project_id_fiat_currency_shard_pk" PRIMARY KEY("project_id","fiat_currency","shard")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "fiat_currency" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "fiat_currency" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "fiat_rate" numeric;