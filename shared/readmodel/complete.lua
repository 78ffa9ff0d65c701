-- Notes, if it is so, that the lists hold all up to these positions.
-- KEYS: checkpoints; ARGV: the position of each part, in order
for part = 0, #ARGV - 1 do
    if tonumber(redis.call('HGET', KEYS[1], part) or 0) < tonumber(ARGV[part + 1]) then
        return 0
    end
end
redis.call('HSET', KEYS[1], 'complete', 1)
return 1
