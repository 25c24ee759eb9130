CREATE TABLE "held_donations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "held_donations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"invoice_id" bigint NOT NULL,
	"txid" "bytea" NOT NULL,
	"public_id" text NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"donor_name" text,
	"donor_message" text,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text NOT NULL,
	"decision" text,
	"decided_at" timestamp with time zone,
	CONSTRAINT "held_donations_decision" CHECK ("held_donations"."decision" in ('approved', 'text_blocked', 'dismissed')),
	CONSTRAINT "held_donations_decided" CHECK (("held_donations"."decision" is null) = ("held_donations"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "overlay_controls" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"token" text,
	"version" integer DEFAULT 0 NOT NULL,
	"hold" text DEFAULT 'none' NOT NULL,
	"words" text[] DEFAULT '{}' NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"volume" smallint DEFAULT 100 NOT NULL,
	"skipped_at" timestamp with time zone,
	"cleared_to" bigint DEFAULT 0 NOT NULL,
	"cleared_replay" integer DEFAULT 0 NOT NULL,
	"replays" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "overlay_controls_token_unique" UNIQUE("token"),
	CONSTRAINT "overlay_controls_hold" CHECK ("overlay_controls"."hold" in ('none', 'all', 'links_and_words', 'first_time')),
	CONSTRAINT "overlay_controls_volume" CHECK ("overlay_controls"."volume" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "overlay_donations" ADD COLUMN "approved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "overlay_controls" ADD CONSTRAINT "overlay_controls_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "held_donations_once" ON "held_donations" USING btree ("invoice_id","txid");--> statement-breakpoint
CREATE INDEX "held_donations_open_idx" ON "held_donations" USING btree ("project_id","id") WHERE "held_donations"."decision" is null;