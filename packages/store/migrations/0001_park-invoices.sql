CREATE TABLE "parked_invoices" (
	"invoice_id" bigint PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"error_class" text NOT NULL,
	"error_message" text NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"parked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "parked_invoices_currency_idx" ON "parked_invoices" USING btree ("currency","parked_at");