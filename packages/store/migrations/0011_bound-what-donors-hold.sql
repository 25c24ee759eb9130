CREATE TABLE "donation_proofs" (
	"id" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD COLUMN "donor_network" "bytea";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "donation_link" "bytea";--> statement-breakpoint
CREATE INDEX "donation_proofs_expires_idx" ON "donation_proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pool_addresses_donor_idx" ON "pool_addresses" USING btree ("pool_id","donor_network") WHERE "pool_addresses"."donor_network" is not null;