CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"key_public" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"scope" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_key_public_unique" UNIQUE("key_public"),
	CONSTRAINT "api_keys_scope" CHECK ("api_keys"."scope" in ('full', 'invoices'))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint,
	"project_id" bigint,
	"action" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_origins" (
	"account_id" bigint NOT NULL,
	"origin" text NOT NULL,
	"last_login_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "login_origins_account_id_origin_pk" PRIMARY KEY("account_id","origin")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"donate_token" text NOT NULL,
	"overlay_token" text NOT NULL,
	"subscription_active_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_account_id_unique" UNIQUE("account_id"),
	CONSTRAINT "projects_donate_token_unique" UNIQUE("donate_token"),
	CONSTRAINT "projects_overlay_token_unique" UNIQUE("overlay_token")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "address_leases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_leases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"currency" text NOT NULL,
	"script" "bytea" NOT NULL,
	"pool_id" bigint NOT NULL,
	"address_index" integer NOT NULL,
	"invoice_id" bigint NOT NULL,
	"leased_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone,
	"watched" boolean DEFAULT true NOT NULL,
	"recorded_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "address_leases_invoice" UNIQUE("invoice_id")
);
--> statement-breakpoint
CREATE TABLE "pool_addresses" (
	"pool_id" bigint NOT NULL,
	"address_index" integer NOT NULL,
	"script" "bytea" NOT NULL,
	"address" text NOT NULL,
	"address_class" text NOT NULL,
	"state" text DEFAULT 'free' NOT NULL,
	"lease_count" integer DEFAULT 0 NOT NULL,
	"last_project_id" bigint,
	"released_at" timestamp with time zone,
	CONSTRAINT "pool_addresses_pool_id_address_index_pk" PRIMARY KEY("pool_id","address_index"),
	CONSTRAINT "pool_addresses_class" CHECK ("pool_addresses"."address_class" in ('orders', 'any', 'guests')),
	CONSTRAINT "pool_addresses_state" CHECK ("pool_addresses"."state" in ('free', 'leased', 'retired')),
	CONSTRAINT "pool_addresses_not_verification" CHECK ("pool_addresses"."address_index" > 0)
);
--> statement-breakpoint
CREATE TABLE "pools" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pools_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"currency" text NOT NULL,
	"key_id" text NOT NULL,
	"xpub" text NOT NULL,
	"script_type" text NOT NULL,
	"branch" integer NOT NULL,
	"owner_project_id" bigint,
	"gap_limit" integer NOT NULL,
	"start_index" integer DEFAULT 0 NOT NULL,
	"last_used_index" integer DEFAULT -1 NOT NULL,
	"derived_until" integer DEFAULT 1 NOT NULL,
	"next_index" integer DEFAULT 1 NOT NULL,
	"history_checked_at" timestamp with time zone,
	"health" text DEFAULT 'ample' NOT NULL,
	"free" integer DEFAULT 0 NOT NULL,
	"leased" integer DEFAULT 0 NOT NULL,
	"quarantined" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pools_key" UNIQUE("currency","key_id"),
	CONSTRAINT "pools_health" CHECK ("pools"."health" in ('ample', 'low', 'dry'))
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"pool_id" bigint NOT NULL,
	"script_type" text NOT NULL,
	"derivation_path" text,
	"verification_address" text NOT NULL,
	"gap_limit" integer NOT NULL,
	"start_index" integer DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'unverified' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"verified_at" timestamp with time zone,
	"replaced_at" timestamp with time zone,
	CONSTRAINT "wallets_status" CHECK ("wallets"."status" in ('unverified', 'verified', 'replaced')),
	CONSTRAINT "wallets_gap_limit" CHECK ("wallets"."gap_limit" between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"project_id" bigint NOT NULL,
	"key" text NOT NULL,
	"invoice_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_project_id_key_pk" PRIMARY KEY("project_id","key")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invoices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"project_id" bigint NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"currency" text NOT NULL,
	"pool_id" bigint NOT NULL,
	"address_index" integer NOT NULL,
	"address" text NOT NULL,
	"script" "bytea" NOT NULL,
	"address_reused" boolean NOT NULL,
	"expected_amount" bigint,
	"confirmations_required" integer NOT NULL,
	"order_id" text,
	"donor_name" text,
	"donor_message" text,
	"return_url" text,
	"ttl_seconds" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"deadline_at" timestamp with time zone NOT NULL,
	"extended" boolean DEFAULT false NOT NULL,
	"reversed" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"request_hash" "bytea",
	"request_id" text,
	"outcome_at" timestamp with time zone,
	"payments_digest" "bytea",
	"deadline_swept" boolean DEFAULT false NOT NULL,
	CONSTRAINT "invoices_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "invoices_type" CHECK ("invoices"."type" in ('order', 'donation')),
	CONSTRAINT "invoices_currency" CHECK ("invoices"."currency" in ('BTC', 'LTC')),
	CONSTRAINT "invoices_status" CHECK ("invoices"."status" in ('new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment')),
	CONSTRAINT "invoices_expected_amount" CHECK ("invoices"."expected_amount" > 0),
	CONSTRAINT "invoices_order_has_amount" CHECK ("invoices"."type" <> 'order' or "invoices"."expected_amount" is not null),
	CONSTRAINT "invoices_confirmations_required" CHECK ("invoices"."confirmations_required" > 0)
);
--> statement-breakpoint
CREATE TABLE "overlay_donations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "overlay_donations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"invoice_id" bigint,
	"txid" "bytea",
	"public_id" text NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"donor_name" text,
	"donor_message" text,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"test" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_stats" (
	"project_id" bigint NOT NULL,
	"day" date NOT NULL,
	"shard" smallint NOT NULL,
	"orders_created" integer DEFAULT 0 NOT NULL,
	"donations_created" integer DEFAULT 0 NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	"btc_amount" bigint DEFAULT 0 NOT NULL,
	"btc_count" integer DEFAULT 0 NOT NULL,
	"ltc_amount" bigint DEFAULT 0 NOT NULL,
	"ltc_count" integer DEFAULT 0 NOT NULL,
	"status_new" integer DEFAULT 0 NOT NULL,
	"status_pending" integer DEFAULT 0 NOT NULL,
	"status_confirmed" integer DEFAULT 0 NOT NULL,
	"status_underpaid" integer DEFAULT 0 NOT NULL,
	"status_expired" integer DEFAULT 0 NOT NULL,
	"status_late_payment" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "project_stats_project_id_day_shard_pk" PRIMARY KEY("project_id","day","shard")
);
--> statement-breakpoint
CREATE TABLE "agreements" (
	"currency" text NOT NULL,
	"txid" "bytea" NOT NULL,
	"depth_wanted" integer NOT NULL,
	"block_hash" "bytea",
	"depth_agreed" integer DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone,
	CONSTRAINT "agreements_currency_txid_pk" PRIMARY KEY("currency","txid")
);
--> statement-breakpoint
CREATE TABLE "chain_blocks" (
	"currency" text NOT NULL,
	"height" integer NOT NULL,
	"hash" "bytea" NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"scanned_at" timestamp with time zone,
	CONSTRAINT "chain_blocks_currency_height_pk" PRIMARY KEY("currency","height")
);
--> statement-breakpoint
CREATE TABLE "chain_rescans" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chain_rescans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"currency" text NOT NULL,
	"from_height" integer,
	"from_time" timestamp with time zone,
	"to_height" integer,
	"next_height" integer,
	"matched" integer DEFAULT 0 NOT NULL,
	"fault" text,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "chain_rescans_beginning" CHECK ("chain_rescans"."from_height" is not null or "chain_rescans"."from_time" is not null)
);
--> statement-breakpoint
CREATE TABLE "chains" (
	"currency" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"tip_height" integer NOT NULL,
	"tip_hash" "bytea" NOT NULL,
	"tip_time" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"stale_since" timestamp with time zone,
	"leader_id" text,
	"leader_until" timestamp with time zone,
	"mempool_read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "due_decisions" (
	"currency" text NOT NULL,
	"invoice_id" bigint NOT NULL,
	CONSTRAINT "due_decisions_currency_invoice_id_pk" PRIMARY KEY("currency","invoice_id")
);
--> statement-breakpoint
CREATE TABLE "fee_estimates" (
	"currency" text PRIMARY KEY NOT NULL,
	"fast" text NOT NULL,
	"normal" text NOT NULL,
	"economy" text NOT NULL,
	"fast_blocks" integer NOT NULL,
	"normal_blocks" integer NOT NULL,
	"economy_blocks" integer NOT NULL,
	"estimated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"currency" text NOT NULL,
	"txid" "bytea" NOT NULL,
	"vout" integer NOT NULL,
	"invoice_id" bigint NOT NULL,
	"script" "bytea" NOT NULL,
	"amount" bigint NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"peg_out" boolean DEFAULT false NOT NULL,
	"counted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_outpoint" UNIQUE("currency","txid","vout"),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "transaction_inputs" (
	"currency" text NOT NULL,
	"spent_txid" "bytea" NOT NULL,
	"spent_vout" integer NOT NULL,
	"txid" "bytea" NOT NULL,
	"recorded_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "transaction_inputs_currency_spent_txid_spent_vout_txid_pk" PRIMARY KEY("currency","spent_txid","spent_vout","txid")
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"currency" text NOT NULL,
	"txid" "bytea" NOT NULL,
	"state" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"block_height" integer,
	"block_hash" "bytea",
	"absent_since" timestamp with time zone,
	CONSTRAINT "transactions_currency_txid_pk" PRIMARY KEY("currency","txid"),
	CONSTRAINT "transactions_state" CHECK ("transactions"."state" in ('mempool', 'block', 'absent', 'void')),
	CONSTRAINT "transactions_block" CHECK (("transactions"."state" = 'block') = ("transactions"."block_height" is not null))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"schedule_started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"relay_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_until" timestamp with time zone,
	"taken_by" uuid,
	"claims" integer DEFAULT 0 NOT NULL,
	"request_id" text,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deliveries_event_id_unique" UNIQUE("event_id"),
	CONSTRAINT "deliveries_status" CHECK ("deliveries"."status" in ('pending', 'delivered', 'failed')),
	CONSTRAINT "deliveries_next_attempt" CHECK (("deliveries"."status" = 'pending') = ("deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"delivery_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"http_status" integer,
	"error" text,
	"response_excerpt" text,
	CONSTRAINT "delivery_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"project_id" bigint NOT NULL,
	"invoice_id" bigint,
	"type" text NOT NULL,
	"txid" "bytea",
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "events_late_has_txid" CHECK ("events"."type" <> 'invoice.late_payment' or "events"."txid" is not null or "events"."invoice_id" is null)
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"previous_secret_sealed" "bytea",
	"previous_secret_until" timestamp with time zone,
	"status" text DEFAULT 'healthy' NOT NULL,
	"failing_since" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_status" CHECK ("webhook_endpoints"."status" in ('healthy', 'failing', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "subscription_purchases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscription_purchases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"days" integer NOT NULL,
	"order_id" text NOT NULL,
	"invoice_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	"granted_at" timestamp with time zone,
	CONSTRAINT "subscription_purchases_order_id_unique" UNIQUE("order_id"),
	CONSTRAINT "subscription_purchases_invoice_id_unique" UNIQUE("invoice_id"),
	CONSTRAINT "subscription_purchases_amount" CHECK ("subscription_purchases"."amount" > 0),
	CONSTRAINT "subscription_purchases_days" CHECK ("subscription_purchases"."days" > 0)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_origins" ADD CONSTRAINT "login_origins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD CONSTRAINT "pool_addresses_pool_id_pools_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."pools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pools" ADD CONSTRAINT "pools_owner_project_id_projects_id_fk" FOREIGN KEY ("owner_project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_pool_id_pools_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."pools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_purchases" ADD CONSTRAINT "subscription_purchases_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_purchases" ADD CONSTRAINT "subscription_purchases_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_project_idx" ON "api_keys" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_project_idx" ON "audit_log" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_account_idx" ON "audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "sessions_account_idx" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "address_leases_one_active" ON "address_leases" USING btree ("currency","script") WHERE "address_leases"."released_at" is null;--> statement-breakpoint
CREATE INDEX "address_leases_script_idx" ON "address_leases" USING btree ("script","currency");--> statement-breakpoint
CREATE INDEX "address_leases_unwatch_idx" ON "address_leases" USING btree ("released_at") WHERE "address_leases"."watched" and "address_leases"."released_at" is not null;--> statement-breakpoint
CREATE INDEX "address_leases_recorded_idx" ON "address_leases" USING btree ("recorded_in");--> statement-breakpoint
CREATE INDEX "pool_addresses_fresh_idx" ON "pool_addresses" USING btree ("pool_id","address_class","address_index") WHERE "pool_addresses"."state" = 'free' and "pool_addresses"."released_at" is null;--> statement-breakpoint
CREATE INDEX "pool_addresses_released_idx" ON "pool_addresses" USING btree ("pool_id","last_project_id","released_at") WHERE "pool_addresses"."state" = 'free' and "pool_addresses"."released_at" is not null;--> statement-breakpoint
CREATE INDEX "pool_addresses_script_idx" ON "pool_addresses" USING btree ("script");--> statement-breakpoint
CREATE INDEX "pools_refill_idx" ON "pools" USING btree ("id") WHERE "pools"."owner_project_id" is not null
          and ("pools"."derived_until" <= greatest("pools"."last_used_index", "pools"."start_index" - 1) + "pools"."gap_limit"
            or "pools"."history_checked_at" is null);--> statement-breakpoint
CREATE INDEX "pools_short_idx" ON "pools" USING btree ("id") WHERE "pools"."health" <> 'ample';--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_one_verified" ON "wallets" USING btree ("project_id","currency") WHERE "wallets"."status" = 'verified';--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_one_unverified" ON "wallets" USING btree ("project_id","currency") WHERE "wallets"."status" = 'unverified';--> statement-breakpoint
CREATE INDEX "wallets_pool_idx" ON "wallets" USING btree ("pool_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_per_order" ON "invoices" USING btree ("project_id","order_id") WHERE "invoices"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "invoices_list_idx" ON "invoices" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "invoices_filter_idx" ON "invoices" USING btree ("project_id","status","type","currency","id");--> statement-breakpoint
CREATE INDEX "invoices_reversed_idx" ON "invoices" USING btree ("project_id","id") WHERE "invoices"."reversed";--> statement-breakpoint
CREATE INDEX "invoices_created_idx" ON "invoices" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "invoices_due_idx" ON "invoices" USING btree ("currency","deadline_at") WHERE "invoices"."status" in ('new', 'pending') and not "invoices"."deadline_swept";--> statement-breakpoint
CREATE INDEX "invoices_many_confirmations_idx" ON "invoices" USING btree ("currency","confirmations_required") WHERE "invoices"."confirmations_required" > 12;--> statement-breakpoint
CREATE UNIQUE INDEX "overlay_donations_once" ON "overlay_donations" USING btree ("invoice_id","txid");--> statement-breakpoint
CREATE INDEX "overlay_donations_project_idx" ON "overlay_donations" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "project_stats_shards_idx" ON "project_stats" USING btree ("day") WHERE "project_stats"."shard" >= 0;--> statement-breakpoint
CREATE INDEX "project_stats_days_idx" ON "project_stats" USING btree ("day") WHERE "project_stats"."shard" = -1 and "project_stats"."day" > '-infinity';--> statement-breakpoint
CREATE INDEX "agreements_open_idx" ON "agreements" USING btree ("currency") WHERE "agreements"."depth_agreed" < "agreements"."depth_wanted";--> statement-breakpoint
CREATE INDEX "chain_blocks_unscanned_idx" ON "chain_blocks" USING btree ("currency","height") WHERE "chain_blocks"."scanned_at" is null;--> statement-breakpoint
CREATE INDEX "chain_rescans_open_idx" ON "chain_rescans" USING btree ("currency","id") WHERE "chain_rescans"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "payments_invoice_idx" ON "payments" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "transaction_inputs_txid_idx" ON "transaction_inputs" USING btree ("currency","txid");--> statement-breakpoint
CREATE INDEX "transaction_inputs_recorded_idx" ON "transaction_inputs" USING btree ("recorded_in");--> statement-breakpoint
CREATE INDEX "transactions_block_idx" ON "transactions" USING btree ("currency","block_height");--> statement-breakpoint
CREATE INDEX "transactions_unconfirmed_idx" ON "transactions" USING btree ("currency","state") WHERE "transactions"."state" in ('mempool', 'absent');--> statement-breakpoint
CREATE INDEX "transactions_void_idx" ON "transactions" USING btree ("currency","absent_since") WHERE "transactions"."state" = 'void';--> statement-breakpoint
CREATE INDEX "deliveries_relay_idx" ON "deliveries" USING btree ("relay_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_pending_idx" ON "deliveries" USING btree ("project_id","next_attempt_at") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_per_outcome" ON "events" USING btree ("invoice_id","type") WHERE "events"."type" <> 'invoice.late_payment';--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_per_late_transaction" ON "events" USING btree ("invoice_id","txid") WHERE "events"."type" = 'invoice.late_payment';--> statement-breakpoint
CREATE INDEX "events_project_idx" ON "events" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "events_project_type_idx" ON "events" USING btree ("project_id","type","id");--> statement-breakpoint
CREATE INDEX "events_invoice_idx" ON "events" USING btree ("invoice_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_purchases_one_open" ON "subscription_purchases" USING btree ("project_id","currency") WHERE "subscription_purchases"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "subscription_purchases_project_idx" ON "subscription_purchases" USING btree ("project_id","id");