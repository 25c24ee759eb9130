CREATE TABLE "disconnected_blocks" (
	"currency" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"height" integer NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	CONSTRAINT "disconnected_blocks_currency_hash_pk" PRIMARY KEY("currency","hash")
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_amount";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "invoice_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "address_leases" ADD COLUMN "read_counter" bigint;--> statement-breakpoint
ALTER TABLE "address_leases" ADD COLUMN "tip_height" integer;--> statement-breakpoint
ALTER TABLE "address_leases" ADD COLUMN "tip_hash" "bytea";--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD COLUMN "recorded_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "chains" ADD COLUMN "read_counter" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "pool_id" bigint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "read_counter" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "mempool_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "pool_addresses_recorded_idx" ON "pool_addresses" USING btree ("recorded_in");--> statement-breakpoint
CREATE INDEX "payments_unassigned_pool_idx" ON "payments" USING btree ("pool_id","id") WHERE "payments"."invoice_id" is null;--> statement-breakpoint
CREATE INDEX "payments_unassigned_script_idx" ON "payments" USING btree ("script") WHERE "payments"."invoice_id" is null;--> statement-breakpoint
CREATE INDEX "payments_peg_out_idx" ON "payments" USING btree ("script") WHERE "payments"."peg_out";--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount" CHECK ("payments"."amount" > 0) NOT VALID;