ALTER TABLE "projects" ADD COLUMN "overlay_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "overlay_version" integer DEFAULT 0 NOT NULL;