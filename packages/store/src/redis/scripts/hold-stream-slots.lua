-- Stores how many streams one replica holds open at a target for a network, if all replicas together stay within the limit.
--
-- KEYS[1]  hash: replica -> "<streams> <expires at, ms>"
-- ARGV[1]  replica
-- ARGV[2]  streams that it holds, including the new one; 0: none
-- ARGV[3]  limit, or -1 for no limit
-- ARGV[4]  milliseconds for which the count is valid unless it is renewed
-- Returns  1 if stored, 0 if it would exceed the limit
--
-- Counts are absolute, so a repeated call changes nothing. The count of a dead replica expires by itself.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local streams = tonumber(ARGV[2])
local limit = tonumber(ARGV[3])
local held = redis.call('HGETALL', KEYS[1])
local others = 0
for i = 1, #held, 2 do
  local count, expires = string.match(held[i + 1], '^(%d+) (%d+)$')
  if tonumber(expires) <= now then
    redis.call('HDEL', KEYS[1], held[i])
  elseif held[i] ~= ARGV[1] then
    others = others + tonumber(count)
  end
end
if limit >= 0 and others + streams > limit then
  return 0
end
if streams == 0 then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d', streams, now + tonumber(ARGV[4])))
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return 1
