CREATE TABLE "counted_donations" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"counted_to" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "donation_days" (
	"project_id" bigint NOT NULL,
	"day" date NOT NULL,
	"btc_amount" bigint DEFAULT 0 NOT NULL,
	"ltc_amount" bigint DEFAULT 0 NOT NULL,
	"donations" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "donation_days_project_id_day_pk" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
CREATE TABLE "donor_totals" (
	"project_id" bigint NOT NULL,
	"period" text NOT NULL,
	"since" date NOT NULL,
	"donor" "bytea" NOT NULL,
	"donor_name" text NOT NULL,
	"btc_amount" bigint DEFAULT 0 NOT NULL,
	"ltc_amount" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "donor_totals_project_id_period_since_donor_pk" PRIMARY KEY("project_id","period","since","donor"),
	CONSTRAINT "donor_totals_period" CHECK ("donor_totals"."period" in ('day', 'week', 'month', 'all'))
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "overlay_sources" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "donor_totals_btc_idx" ON "donor_totals" USING btree ("project_id","period","since","btc_amount" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "donor_totals_ltc_idx" ON "donor_totals" USING btree ("project_id","period","since","ltc_amount" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "donor_totals_past_idx" ON "donor_totals" USING btree ("since") WHERE "donor_totals"."period" <> 'all';--> statement-breakpoint
-- What was shown before; count-donations.ts adds what older releases insert until they are gone.
WITH shown AS MATERIALIZED (
	SELECT project_id, id, currency, amount, donor_name, (coalesce(approved_at, confirmed_at) AT TIME ZONE 'UTC')::date AS day
	FROM overlay_donations WHERE NOT test
), days AS (
	INSERT INTO donation_days (project_id, day, btc_amount, ltc_amount, donations)
	SELECT project_id, day, coalesce(sum(amount) FILTER (WHERE currency = 'BTC'), 0), coalesce(sum(amount) FILTER (WHERE currency = 'LTC'), 0), count(*)
	FROM shown GROUP BY project_id, day
), donors AS (
	INSERT INTO donor_totals (project_id, period, since, donor, donor_name, btc_amount, ltc_amount)
	SELECT s.project_id, p.period, p.since, sha256(convert_to(lower(btrim(s.donor_name)), 'UTF8')), (array_agg(s.donor_name ORDER BY s.id DESC))[1],
		coalesce(sum(s.amount) FILTER (WHERE s.currency = 'BTC'), 0), coalesce(sum(s.amount) FILTER (WHERE s.currency = 'LTC'), 0)
	FROM shown s
	CROSS JOIN LATERAL (VALUES ('day', s.day), ('week', date_trunc('week', s.day::timestamp)::date), ('month', date_trunc('month', s.day::timestamp)::date), ('all', '-infinity'::date)) AS p (period, since)
	WHERE btrim(s.donor_name) <> '' AND (p.period = 'all' OR p.since >= (now() AT TIME ZONE 'UTC')::date - 31)
	GROUP BY 1, 2, 3, 4
)
INSERT INTO counted_donations (project_id, counted_to) SELECT project_id, max(id) FROM shown GROUP BY project_id;
