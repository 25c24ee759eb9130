-- Takes the next leasable index of a pool, as a hint: Postgres decides whether it may be leased.
--
-- KEYS[1]  string that is set while a refill was asked for lately
-- KEYS[2…] sorted sets of free indexes, one for each class that the lessee may hold, best class first
-- ARGV[1]  ask for a refill when fewer indexes than this are left in those sets
-- ARGV[2]  milliseconds for which one request for a refill counts
-- Returns  { index or -1, 1 if the caller is to ask for a refill else 0 }
--
-- Atomic: no index is given twice. Popping one that is not leased in the end loses only the hint, until a refill.
local index = -1
local left = 0
for i = 2, #KEYS do
  if index == -1 then
    local popped = redis.call('ZPOPMIN', KEYS[i])
    if popped[1] then index = tonumber(popped[1]) end
  end
  left = left + redis.call('ZCARD', KEYS[i])
end
local wants_refill = 0
if left < tonumber(ARGV[1]) and redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[2]) then
  wants_refill = 1
end
return { index, wants_refill }
