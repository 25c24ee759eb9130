-- Returns the cached credential of an API key and, if it is valid, counts one point of the key's limit and, unless that is used up,
-- one of the project's.
--
-- KEYS[1]  JSON of the credential, or 'revoked'
-- KEYS[2]  points of the key in the current window; the same counter as rate-limiter-flexible's
-- KEYS[3]  points of the project, likewise
-- ARGV     window in seconds and most points: of the key, then of the project; a window starts with its first point
-- Returns  { credential or false, points of the key, milliseconds until its window ends, the same two of the project }; -1 for what
--          was not counted
--
-- Unknown or revoked credentials are not counted, so that invented keys cannot fill Redis with counters.
local credential = redis.call('GET', KEYS[1])
if not credential or credential == 'revoked' then
  return { credential, -1, -1, -1, -1 }
end
local function count(counter, windowSeconds)
  local points = redis.call('INCR', counter)
  if points == 1 then
    redis.call('EXPIRE', counter, windowSeconds)
  end
  return points
end
local points = count(KEYS[2], ARGV[1])
if points > tonumber(ARGV[2]) then
  return { credential, points, redis.call('PTTL', KEYS[2]), -1, -1 }
end
local ofProject = count(KEYS[3], ARGV[3])
return { credential, points, redis.call('PTTL', KEYS[2]), ofProject, redis.call('PTTL', KEYS[3]) }
