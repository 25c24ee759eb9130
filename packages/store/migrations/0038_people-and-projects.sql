CREATE TABLE "project_invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"project_id" bigint NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"invited_by" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_invitations_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "project_invitations_email" UNIQUE("project_id","email"),
	CONSTRAINT "project_invitations_role" CHECK ("project_invitations"."role" in ('owner', 'manager', 'accountant', 'support'))
);
--> statement-breakpoint
CREATE TABLE "project_members" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"project_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_members_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "project_members_account" UNIQUE("account_id","project_id"),
	CONSTRAINT "project_members_role" CHECK ("project_members"."role" in ('owner', 'manager', 'accountant', 'support'))
);
--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT "projects_account_id_unique";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "public_id" text DEFAULT 'prj_' || replace(gen_random_uuid()::text, '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD COLUMN "invitation_id" bigint;--> statement-breakpoint
ALTER TABLE "project_invitations" ADD CONSTRAINT "project_invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_invitations" ADD CONSTRAINT "project_invitations_invited_by_accounts_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_invitations_inviter_idx" ON "project_invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "project_invitations_expires_idx" ON "project_invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "project_members_project_idx" ON "project_members" USING btree ("project_id","id");--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_invitation_id_project_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."project_invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "projects_account_idx" ON "projects" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "email_tokens_invitation_idx" ON "email_tokens" USING btree ("invitation_id") WHERE "email_tokens"."invitation_id" is not null;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_public_id_unique" UNIQUE("public_id");