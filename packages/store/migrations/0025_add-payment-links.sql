CREATE TABLE "payment_link_sales" (
	"invoice_id" bigint PRIMARY KEY NOT NULL,
	"payment_link_id" bigint NOT NULL,
	"returned" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"project_id" bigint NOT NULL,
	"token" text NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"amount" bigint,
	"price_amount" bigint,
	"price_currency" text,
	"currencies" text[],
	"single_use" boolean DEFAULT false NOT NULL,
	"stock" integer,
	"return_url" text,
	"expires_at" timestamp with time zone,
	"disabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_links_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "payment_links_token_unique" UNIQUE("token"),
	CONSTRAINT "payment_links_price" CHECK ("payment_links"."price_amount" is null or "payment_links"."price_currency" is not null),
	CONSTRAINT "payment_links_amount" CHECK ("payment_links"."amount" is null or "payment_links"."price_currency" is null),
	CONSTRAINT "payment_links_stock" CHECK ("payment_links"."stock" is null or ("payment_links"."stock" > 0 and not "payment_links"."single_use"))
);
--> statement-breakpoint
ALTER TABLE "payment_link_sales" ADD CONSTRAINT "payment_link_sales_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_link_sales_held_idx" ON "payment_link_sales" USING btree ("payment_link_id","invoice_id") WHERE not "payment_link_sales"."returned";--> statement-breakpoint
CREATE INDEX "payment_links_project_idx" ON "payment_links" USING btree ("project_id","id");