-- Creates an invoice with an address of its own, or returns why it cannot. One statement, so it happens as a whole or not at all.
--
-- Always returns one row. The caller reads it in this order:
--   is_authorized false              the credential was revoked or does not belong to the project
--   repeats_order, repeats_key       the existing invoices of the order_id and the idempotency key
--   has_waited true                  another request with the same order_id or key has just ended: run the statement again
--   is_subscribed false              no active subscription
--   wallet_pool_id null              no verified wallet of the currency
--   id null                          no address can be leased now
--   otherwise                        the columns of the new invoice that the caller does not know
--
--  $1 project_id       $2 credential: api_key, session, donation_link, payment_link or operator   $3 api_key_id
--  $4 token of the donation or payment link, or the hex of a session's token hash
--  $5 currency         $6 type                  $7 expected_amount            $8 confirmations_required
--  $9 order_id        $10 donor_name           $11 donor_message             $12 return_url
-- $13 ttl_seconds     $14 grace_seconds        $15 request_hash              $16 idempotency_key
-- $17 public_id       $18 classes that the pool's owner may lease, best first $19 the same for a guest
-- $20 hinted pool_id  $21 hinted address_index $22 quarantine_seconds        $23 stats shard
-- $24 stale_after_seconds                      $25 request_id
-- For a donation or a purchase by a public link and a purchase from the operator; null and true for all others:
-- $26 keyed hash of the donor's or buyer's network: 8 bytes of its site, 8 of itself
-- $27 whether donor-limits.ts and pieces.ts, in the same transaction, allow it an address; false also for a request that only may be a repeat
-- Of an order with a price; null for all others:
-- $28 price in the smallest units of its currency   $29 ISO 4217 code   $30 rate   $31 its sources   $32 when it was taken
-- $33 what the payment page says about an order, as JSON; null for nothing
with
-- Requests with the same order_id or key run one at a time, so that a repeat never takes an address from others. A request that
-- had to wait does nothing: its snapshot predates the invoice it waited for. The lock of the order comes first everywhere,
-- which avoids deadlocks. A null argument takes no lock.
turn as materialized (
  select
    coalesce(case when pg_try_advisory_xact_lock(o.id) then false
      else pg_advisory_xact_lock(o.id)::text is not null end, false) as waited_for_order,
    coalesce(case when pg_try_advisory_xact_lock(k.id) then false
      else pg_advisory_xact_lock(k.id)::text is not null end, false) as waited_for_key
  from (select hashtextextended('order ' || $1::bigint || ' ' || $9::text, 0)) as o (id),
    (select hashtextextended('key ' || $1::bigint || ' ' || $16::text, 0)) as k (id)
),
caller as materialized (
  select
    p.id,
    nullif(p.name, '') as project_name,
    p.branding,
    coalesce(p.subscription_active_until > now(), false) as is_subscribed,
    case $2::text
      when 'api_key' then exists (
        select from api_keys k where k.id = $3::bigint and k.project_id = p.id and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > now()))
      when 'session' then exists (
        select from sessions s
        where s.token_hash = case when $2::text = 'session' then decode($4::text, 'hex') end
          and (s.account_id = p.account_id or exists (
            select from project_members m
            where m.project_id = p.id and m.account_id = s.account_id and m.role in ('owner', 'manager')))
          and s.expires_at > now())
      when 'donation_link' then p.donate_token = $4::text
      -- pieces.ts has locked the link in the same transaction.
      when 'payment_link' then exists (
        select from payment_links l where l.token = $4::text and l.project_id = p.id)
      -- The configuration names this project, not the request.
      when 'operator' then true
      else false
    end as is_authorized
  from projects p
  where p.id = $1::bigint
),
repeats_order as materialized (
  select i.id, i.request_hash from invoices i where i.project_id = $1::bigint and i.order_id = $9::text
),
repeats_key as materialized (
  select i.id, i.request_hash
  from idempotency_keys k join invoices i on i.id = k.invoice_id
  where k.project_id = $1::bigint and k.key = $16::text
),
wallet as materialized (
  select
    w.pool_id,
    coalesce(p.owner_project_id = $1::bigint, false) as is_owner,
    greatest(p.last_used_index, p.start_index - 1) + least(w.gap_limit, p.gap_limit) as highest_index,
    case when p.owner_project_id = $1::bigint then $18::text[] else $19::text[] end as classes
  from wallets w join pools p on p.id = w.pool_id
  where w.project_id = $1::bigint and w.currency = $5::text and w.status = 'verified'
),
chain as materialized (
  select
    c.tip_height, c.tip_hash, c.read_counter,
    c.stale_since is null and c.checked_at >= now() - make_interval(secs => $24::int) as is_fresh,
    -- Everything up to this time has been read: earlier payments are known.
    least(now(), c.checked_at, coalesce(c.mempool_read_at, '-infinity')) as read_until
  from chains c where c.currency = $5::text
),
permitted as materialized (
  select w.* from turn, caller c, wallet w
  where not turn.waited_for_order and not turn.waited_for_key
    and c.is_authorized and c.is_subscribed
    and not exists (select from repeats_order) and not exists (select from repeats_key)
    and $27::boolean
),
-- Picks the address: the hint if it still holds, otherwise the lowest fresh one of the best class, otherwise the one released
-- longest ago. An address that a donation used is leased to donations only, which take it first: a donor who pays again from
-- the history of a wallet must not pay an order. Rows locked by others are skipped, never waited for. Another pool may have
-- leased the same script (a key registered under two roots); the index of active leases would refuse it. `offset 0` keeps that
-- check at one index lookup for the current row: as a join it may be planned over all active leases.
hinted as materialized (
  select a.address_index
  from permitted w join pool_addresses a on a.pool_id = w.pool_id and a.address_index = $21::int
  where w.pool_id = $20::bigint and a.address_index <= w.highest_index and a.address_class = any (w.classes)
    and a.state = 'free' and a.released_at is null
    and not exists (
      select from address_leases l where l.currency = $5::text and l.script = a.script and l.released_at is null
      offset 0)
  for update of a skip locked
),
fresh as materialized (
  select f.address_index
  from permitted w
  cross join unnest(w.classes) as best_first (address_class)
  cross join lateral (
    select a.address_index
    from pool_addresses a
    where a.pool_id = w.pool_id and a.address_class = best_first.address_class
      and a.address_index <= w.highest_index and a.state = 'free' and a.released_at is null
      and not exists (
        select from address_leases l where l.currency = $5::text and l.script = a.script and l.released_at is null
      offset 0)
    order by a.address_index
    limit 1
    for update of a skip locked
  ) f
  where not exists (select from hinted)
  -- Stops at the first class that has one, so that no address of other classes is locked for nothing.
  limit 1
),
released as materialized (
  select r.address_index
  from permitted w
  join chain c on c.is_fresh
  cross join unnest(case when $6::text = 'donation' then '{t,f}' else '{f}' end::boolean[]) as best_first (donated)
  cross join lateral (
    select a.address_index
    from pool_addresses a
    where a.pool_id = w.pool_id and a.last_project_id = $1::bigint and a.donated = best_first.donated
      and a.address_index <= w.highest_index and a.address_class = any (w.classes)
      and a.state = 'free' and a.released_at <= c.read_until - make_interval(secs => $22::int)
      and not exists (
        select from address_leases l where l.currency = $5::text and l.script = a.script and l.released_at is null
        offset 0)
    order by a.released_at
    limit 1
    for update of a skip locked
  ) r
  where not exists (select from hinted) and not exists (select from fresh)
  limit 1
),
claimed as (
  update pool_addresses a
  set state = 'leased', lease_count = a.lease_count + 1, last_project_id = $1::bigint, released_at = null,
    donated = a.donated or $6::text = 'donation', donor_network = $26::bytea
  from permitted w,
    (select address_index from hinted union all select address_index from fresh
     union all select address_index from released) chosen
  where a.pool_id = w.pool_id and a.address_index = chosen.address_index and a.state = 'free'
  returning a.pool_id, a.address_index, a.address, a.script,
    -- A lease that ended before anybody knew the address left no row and does not count.
    a.lease_count > 1 and exists (
      select from address_leases l join invoices i on i.id = l.invoice_id
      where l.script = a.script and l.currency = $5::text
        and (i.shown_at is not null or exists (select from payments p where p.invoice_id = i.id offset 0))
      offset 0) as is_reused
),
invoice as (
  insert into invoices (
    public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused, expected_amount,
    confirmations_required, order_id, donor_name, donor_message, return_url, ttl_seconds, expires_at, deadline_at,
    request_hash, request_id, shown_at, donation_link, price_amount, price_currency, rate_value, rate_sources, rate_taken_at,
    details)
  select
    $17::text, $1::bigint, $6::text, $5::text, c.pool_id, c.address_index, c.address, c.script, c.is_reused, $7::bigint,
    $8::int, $9::text, $10::text, $11::text, $12::text, $13::int, now() + make_interval(secs => $13::int),
    now() + make_interval(secs => $13::int + $14::int), $15::bytea, $25::text,
    -- The creator of any other invoice sees the address in the response.
    case when $2::text not in ('donation_link', 'payment_link') then now() end,
    case when $2::text = 'donation_link' then sha256(convert_to($4::text, 'UTF8')) end,
    $28::bigint, $29::text, $30::text::numeric, $31::text[], $32::timestamptz,
    $33::jsonb
  from claimed c
  returning id, public_id, address_index, address, script, address_reused, created_at, expires_at, deadline_at
),
lease as (
  -- With the read state of the chain: what was recorded or mined up to there is older than the lease.
  insert into address_leases (
    currency, script, pool_id, address_index, invoice_id, read_counter, tip_height, tip_hash)
  select $5::text, c.script, c.pool_id, c.address_index, i.id, chain.read_counter, chain.tip_height, chain.tip_hash
  from claimed c cross join invoice i left join chain on true
),
new_key as (
  insert into idempotency_keys (project_id, key, invoice_id)
  select $1::bigint, $16::text, i.id from invoice i where $16::text is not null
),
-- A repeat by order_id assigns its key to the same invoice, so that the key never names another one later. An order takes at most
-- 100 of them: each is a row, and repeats are free. The row lock makes the count exact.
open_order as materialized (
  select i.id
  from turn, caller c, repeats_order o join invoices i on i.id = o.id
  where $16::text is not null and c.is_authorized and not exists (select from repeats_key) and i.further_keys < 100
  for no key update of i
),
further_key as (
  insert into idempotency_keys (project_id, key, invoice_id)
  select $1::bigint, $16::text, o.id from open_order o
  on conflict do nothing
  returning invoice_id
),
counted_key as (
  update invoices i set further_keys = i.further_keys + 1 from further_key k where i.id = k.invoice_id
),
counted as (
  insert into project_stats as s (project_id, day, shard, orders_created, donations_created, status_new)
  select
    $1::bigint, (i.created_at at time zone 'UTC')::date, $23::smallint,
    ($6::text = 'order')::int, ($6::text = 'donation')::int, 1
  from invoice i
  on conflict (project_id, day, shard) do update set
    orders_created = s.orders_created + excluded.orders_created,
    donations_created = s.donations_created + excluded.donations_created,
    status_new = s.status_new + excluded.status_new
)
select
  coalesce(caller.is_authorized, false) as is_authorized,
  coalesce(caller.is_subscribed, false) as is_subscribed,
  turn.waited_for_order or turn.waited_for_key as has_waited,
  repeats_order.id as repeats_order, repeats_order.request_hash as order_request_hash,
  repeats_key.id as repeats_key, repeats_key.request_hash as key_request_hash,
  wallet.pool_id as wallet_pool_id, wallet.is_owner,
  invoice.id, invoice.public_id, invoice.address_index, invoice.address, invoice.script, invoice.address_reused,
  invoice.created_at, invoice.expires_at, invoice.deadline_at,
  caller.project_name, caller.branding,
  coalesce(chain.tip_height, 0) as tip_height,
  not coalesce(chain.is_fresh, false) as chain_delayed
from turn
left join caller on true
left join repeats_order on true
left join repeats_key on true
left join wallet on true
left join invoice on true
left join chain on true
