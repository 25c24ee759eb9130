-- A donation that expired before anybody could know its address kept its lease once. Nothing can belong to such a lease, and each
-- payment to the address reads all of its leases.
DELETE FROM "address_leases" USING "invoices"
  WHERE "invoices"."id" = "address_leases"."invoice_id" AND "address_leases"."released_at" IS NOT NULL
    AND "invoices"."type" = 'donation' AND "invoices"."shown_at" IS NULL
    AND NOT EXISTS (SELECT FROM "payments" WHERE "payments"."invoice_id" = "invoices"."id");
