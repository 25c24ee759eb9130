CREATE TABLE "exchange_rates" (
	"currency" text NOT NULL,
	"price_currency" text NOT NULL,
	"value" numeric,
	"sources" text[],
	"taken_at" timestamp with time zone,
	"candidate" numeric,
	"candidate_at" timestamp with time zone,
	"withheld" text,
	"quotes" jsonb DEFAULT '[]' NOT NULL,
	"read_at" timestamp with time zone,
	"claimed_at" timestamp with time zone,
	CONSTRAINT "exchange_rates_currency_price_currency_pk" PRIMARY KEY("currency","price_currency"),
	CONSTRAINT "exchange_rates_value" CHECK ("exchange_rates"."value" > 0 and coalesce("exchange_rates"."candidate", 1) > 0),
	CONSTRAINT "exchange_rates_taken" CHECK (("exchange_rates"."value" is null) = ("exchange_rates"."taken_at" is null) and ("exchange_rates"."value" is null) = ("exchange_rates"."sources" is null)),
	CONSTRAINT "exchange_rates_candidate" CHECK (("exchange_rates"."candidate" is null) = ("exchange_rates"."candidate_at" is null)),
	CONSTRAINT "exchange_rates_withheld" CHECK ("exchange_rates"."withheld" in ('disagreement', 'jump'))
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "price_margin_bps" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "long_price_margin_bps" integer;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "price_amount" bigint;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "price_currency" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "rate_value" numeric;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "rate_sources" text[];--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "rate_taken_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_price" CHECK (num_nulls("invoices"."price_amount", "invoices"."price_currency", "invoices"."rate_value", "invoices"."rate_sources", "invoices"."rate_taken_at") in (0, 5)) NOT VALID;