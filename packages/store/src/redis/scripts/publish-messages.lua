-- Publishes many messages at once: one command, and one answer to wait for, in place of hundreds.
-- ARGV: channel and message in turn. Not for a cluster, whose channels lie in many slots.
for i = 1, #ARGV, 2 do
  redis.call('PUBLISH', ARGV[i], ARGV[i + 1])
end
return #ARGV / 2
