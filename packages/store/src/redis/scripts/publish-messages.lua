-- Publishes many messages with one command and one reply instead of hundreds. ARGV: channel and message, alternating. Not for a
-- cluster, whose channels are in many slots.
for i = 1, #ARGV, 2 do
  redis.call('PUBLISH', ARGV[i], ARGV[i + 1])
end
return #ARGV / 2
