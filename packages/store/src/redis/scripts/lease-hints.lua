-- Takes the next leasable indexes of a pool as hints: Postgres decides whether an index can be leased.
--
-- KEYS[1]  string that is set while a refill was requested recently
-- KEYS[2…] sorted sets of free indexes, one for each class that the lessee may lease, best class first
-- ARGV[1]  maximum number of indexes to take
-- ARGV[2]  request a refill if fewer indexes than this are left in these sets
-- ARGV[3]  milliseconds for which one refill request is valid
-- Returns  { 1 if the caller must request a refill, else 0, index… }
--
-- Atomic: no index is handed out twice. Taking an index that is not leased in the end only loses its hint until the next
-- refill.
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
