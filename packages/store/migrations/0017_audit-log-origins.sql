DROP INDEX "audit_log_project_idx";--> statement-breakpoint
DROP INDEX "audit_log_account_idx";--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "public_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "actor_account_id" bigint;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "ip" "inet";--> statement-breakpoint
CREATE INDEX "audit_log_project_action_idx" ON "audit_log" USING btree ("project_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_account_action_idx" ON "audit_log" USING btree ("account_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_project_idx" ON "audit_log" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_account_idx" ON "audit_log" USING btree ("account_id","created_at","id");--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_public_id_unique" UNIQUE("public_id");