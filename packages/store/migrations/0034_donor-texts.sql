ALTER TABLE "projects" ADD COLUMN "donor_texts_days" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "donor_texts_removed_to" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "projects_donor_texts_idx" ON "projects" USING btree ("donor_texts_removed_to" NULLS FIRST) WHERE "projects"."donor_texts_days" is not null;