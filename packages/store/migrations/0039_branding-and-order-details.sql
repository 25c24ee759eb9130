ALTER TABLE "uploads" DROP CONSTRAINT "uploads_kind";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "branding" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_kind" CHECK ("uploads"."kind" in ('image', 'sound', 'logo'));