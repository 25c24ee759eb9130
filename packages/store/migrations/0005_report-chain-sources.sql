CREATE TABLE "chain_sources" (
	"currency" text NOT NULL,
	"name" text NOT NULL,
	"inspected_at" timestamp with time zone NOT NULL,
	"fault" text,
	"lie" text,
	"lied_at" timestamp with time zone,
	"cut_off" boolean NOT NULL,
	"skew_ms" integer,
	"twin" text,
	CONSTRAINT "chain_sources_currency_name_pk" PRIMARY KEY("currency","name")
);
