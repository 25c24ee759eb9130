CREATE TABLE "passkey_challenges" (
	"challenge_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"session_hash" "bytea",
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('add', 'reauthenticate', 'login') and ("passkey_challenges"."session_hash" is null) = ("passkey_challenges"."purpose" = 'login'))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"factor_id" bigint PRIMARY KEY NOT NULL,
	"credential_id" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id"),
	CONSTRAINT "passkeys_size" CHECK (length("passkeys"."credential_id") <= 1023 and length("passkeys"."public_key") <= 2048)
);
--> statement-breakpoint
ALTER TABLE "second_factors" DROP CONSTRAINT "second_factors_kind";--> statement-breakpoint
ALTER TABLE "second_factors" ALTER COLUMN "secret_sealed" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "passkey_user_id" uuid;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_factor_id_second_factors_id_fk" FOREIGN KEY ("factor_id") REFERENCES "public"."second_factors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "passkey_challenges_session_idx" ON "passkey_challenges" USING btree ("session_hash","purpose");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires_idx" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_secret" CHECK ("second_factors"."kind" in ('totp', 'passkey') and ("second_factors"."secret_sealed" is null) = ("second_factors"."kind" = 'passkey')) NOT VALID;