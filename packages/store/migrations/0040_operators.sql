ALTER TABLE "accounts" ADD COLUMN "public_id" text DEFAULT 'acc_' || replace(gen_random_uuid()::text, '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "is_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_log_operator_idx" ON "audit_log" USING btree ("created_at","id") WHERE "audit_log"."detail"->>'actor' = 'operator';--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_public_id_unique" UNIQUE("public_id");