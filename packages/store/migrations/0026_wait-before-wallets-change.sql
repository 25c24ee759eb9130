ALTER TABLE "wallets" DROP CONSTRAINT "wallets_status";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "wallet_delay_seconds" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "next_wallet_delay_seconds" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "next_wallet_delay_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "effective_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_one_pending" ON "wallets" USING btree ("project_id","currency") WHERE "wallets"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "wallets_effective_idx" ON "wallets" USING btree ("effective_at") WHERE "wallets"."status" = 'pending';--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_pending" CHECK ("wallets"."status" <> 'pending' or "wallets"."effective_at" is not null);--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_status" CHECK ("wallets"."status" in ('unverified', 'pending', 'verified', 'replaced'));