-- Writes games of one part and moves the part's checkpoint: all of it, or nothing and the answer 0.
-- KEYS: checkpoint, attempts, alone, hashes of games that must be there, hashes to write
-- ARGV: checkpoint that was read and the one to set (both '' to write games only),
--       number of the games that must be there and the version of each at least,
--       then for each to write: version, seconds to keep it, number of the following, field, value, ...
local moves = ARGV[1] ~= ''
if moves and (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then
    return 0
end
local held = tonumber(ARGV[3])
for ix = 1, held do
    if tonumber(redis.call('HGET', KEYS[3 + ix], 'v') or 0) < tonumber(ARGV[3 + ix]) then
        return 0
    end
end
local at = 4 + held
for key = 4 + held, #KEYS do
    local version, seconds, count = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    if tonumber(version) >= tonumber(redis.call('HGET', KEYS[key], 'v') or 0) then
        redis.call('DEL', KEYS[key])
        redis.call('HSET', KEYS[key], unpack(ARGV, at + 3, at + 2 + count))
        redis.call('EXPIRE', KEYS[key], seconds)
    end
    at = at + 3 + count
end
if moves then
    redis.call('SET', KEYS[1], ARGV[2])
    redis.call('DEL', KEYS[3])
    if tonumber(ARGV[2]) >= tonumber(redis.call('HGET', KEYS[2], 'until') or 0) then
        redis.call('DEL', KEYS[2])
    else -- this attempt went well, but those that failed were at more than this
        redis.call('HDEL', KEYS[2], 'alone', 'error')
        redis.call('HINCRBY', KEYS[2], 'batch', -1)
    end
end
return 1
