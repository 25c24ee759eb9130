-- Returns the cached credential and, if it is valid, counts one point of its limit.
--
-- KEYS[1]  JSON of the credential, or 'revoked'
-- KEYS[2]  points in the current window; the same counter as rate-limiter-flexible's
-- ARGV[1]  length of a window in seconds; a window starts with its first point
-- Returns  { credential or false, points or -1, milliseconds until the window ends or -1 }
--
-- Unknown or revoked credentials are not counted, so that invented keys cannot fill Redis with counters.
local credential = redis.call('GET', KEYS[1])
if not credential or credential == 'revoked' then
  return { credential, -1, -1 }
end
redis.call('SET', KEYS[2], 0, 'EX', ARGV[1], 'NX')
local points = redis.call('INCR', KEYS[2])
return { credential, points, redis.call('PTTL', KEYS[2]) }
