-- An output of nothing was a payment once, and no change of its row passes the constraint any more: a decision that counts it
-- would fail for ever.
INSERT INTO "due_decisions" ("currency", "invoice_id")
  SELECT DISTINCT "currency", "invoice_id" FROM "payments" WHERE "amount" = 0 AND "invoice_id" IS NOT NULL
  ON CONFLICT DO NOTHING;--> statement-breakpoint
DELETE FROM "payments" WHERE "amount" = 0;--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_amount";
