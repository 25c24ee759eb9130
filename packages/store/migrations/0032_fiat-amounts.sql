ALTER TABLE "overlay_donations" ADD COLUMN "fiat_currency" text;--> statement-breakpoint
ALTER TABLE "overlay_donations" ADD COLUMN "fiat_rate" numeric;--> statement-breakpoint
ALTER TABLE "held_donations" ADD COLUMN "fiat_currency" text;--> statement-breakpoint
ALTER TABLE "held_donations" ADD COLUMN "fiat_rate" numeric;