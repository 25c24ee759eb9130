CREATE TABLE "reconciliation_differences" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reconciliation_differences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reconciliation_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"invoice_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"outpoint" text NOT NULL,
	"expected" text,
	"recorded" text,
	"source" text NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reconciliation_differences_kind" CHECK ("reconciliation_differences"."kind" in ('missing_payment', 'unknown_payment', 'wrong_amount', 'wrong_address', 'wrong_block',
        'wrong_invoice', 'wrong_lateness', 'wrong_status', 'unverifiable'))
);
--> statement-breakpoint
CREATE TABLE "reconciliation_invoices" (
	"reconciliation_id" bigint NOT NULL,
	"invoice_id" bigint NOT NULL,
	CONSTRAINT "reconciliation_invoices_reconciliation_id_invoice_id_pk" PRIMARY KEY("reconciliation_id","invoice_id")
);
--> statement-breakpoint
CREATE TABLE "reconciliation_outputs" (
	"reconciliation_id" bigint NOT NULL,
	"txid" "bytea" NOT NULL,
	"vout" integer NOT NULL,
	"script" "bytea" NOT NULL,
	"amount" bigint NOT NULL,
	"height" integer NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	CONSTRAINT "reconciliation_outputs_reconciliation_id_txid_vout_pk" PRIMARY KEY("reconciliation_id","txid","vout")
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reconciliations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"currency" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"is_full" boolean NOT NULL,
	"is_requested" boolean NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"from_height" integer,
	"to_height" integer,
	"next_height" integer,
	"last_hash" "bytea",
	"read_from" integer,
	"read_from_time" timestamp with time zone,
	"sources" text DEFAULT '' NOT NULL,
	"invoices" integer DEFAULT 0 NOT NULL,
	"compared" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL,
	"unverifiable" integer DEFAULT 0 NOT NULL,
	"fault" text,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "reconciliation_differences_run_idx" ON "reconciliation_differences" USING btree ("reconciliation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "reconciliation_differences_outpoint" ON "reconciliation_differences" USING btree ("reconciliation_id","kind","outpoint") WHERE "reconciliation_differences"."outpoint" <> '';--> statement-breakpoint
CREATE INDEX "reconciliation_outputs_script_idx" ON "reconciliation_outputs" USING btree ("reconciliation_id","script");--> statement-breakpoint
CREATE INDEX "reconciliation_outputs_height_idx" ON "reconciliation_outputs" USING btree ("reconciliation_id","height");--> statement-breakpoint
CREATE UNIQUE INDEX "reconciliations_one_scheduled" ON "reconciliations" USING btree ("currency") WHERE "reconciliations"."ended_at" is null and not "reconciliations"."is_requested";--> statement-breakpoint
CREATE INDEX "reconciliations_ended_idx" ON "reconciliations" USING btree ("currency","id");--> statement-breakpoint
CREATE INDEX "invoices_outcome_idx" ON "invoices" USING btree ("currency",coalesce("outcome_at", 'infinity'::timestamptz));