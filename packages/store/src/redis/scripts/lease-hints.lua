-- Takes the next leasable indexes of a pool, as hints: Postgres decides whether one may be leased.
--
-- KEYS[1]  string that is set while a refill was asked for lately
-- KEYS[2…] sorted sets of free indexes, one for each class that the lessee may hold, best class first
-- ARGV[1]  how many indexes to take at most
-- ARGV[2]  ask for a refill when fewer indexes than this are left in those sets
-- ARGV[3]  milliseconds for which one request for a refill counts
-- Returns  { 1 if the caller is to ask for a refill else 0, index… }
--
-- Atomic: no index is given twice. Taking one that is not leased in the end loses only the hint, until a refill.
local reply = { 0 }
local wanted = tonumber(ARGV[1])
local left = 0
for i = 2, #KEYS do
  if wanted > 0 then
    local popped = redis.call('ZPOPMIN', KEYS[i], wanted)
    for j = 1, #popped, 2 do
      reply[#reply + 1] = tonumber(popped[j])
      wanted = wanted - 1
    end
  end
  left = left + redis.call('ZCARD', KEYS[i])
end
if left < tonumber(ARGV[2]) and redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[3]) then
  reply[1] = 1
end
return reply
