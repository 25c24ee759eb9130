-- Answers what is cached of a credential and, where that may act, counts one point of its limit.
--
-- KEYS[1]  JSON of the credential, or 'revoked'
-- KEYS[2]  points counted in the window that runs; the same counter as rate-limiter-flexible's
-- ARGV[1]  seconds that a window lasts; it begins with its first point
-- Returns  { credential or false, points or -1, milliseconds until the window ends or -1 }
--
-- What is unknown or revoked counts nothing, so that nobody fills Redis with counters of invented keys.
local credential = redis.call('GET', KEYS[1])
if not credential or credential == 'revoked' then
  return { credential, -1, -1 }
end
redis.call('SET', KEYS[2], 0, 'EX', ARGV[1], 'NX')
local points = redis.call('INCR', KEYS[2])
return { credential, points, redis.call('PTTL', KEYS[2]) }
