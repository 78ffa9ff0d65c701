-- Writes games of one part and moves the part's checkpoint: all of it, or nothing and the answer 0.
-- No checkpoint passes what the 'v' of a game says. A stale game's says how far it was passed, so
-- that who folds it anew, and has read less of the log, comes too late.
-- KEYS: checkpoint, attempts, alone, hashes of games that must be there, of games that must be
--       stale, hashes to write
-- ARGV: checkpoint that was read and the one to set (both '' to write one game only),
--       number of the games that must be there and of those that must be stale,
--       the version that each of the former has at least, and each of the latter from now on,
--       then for each to write: version, seconds to keep it, number of the following, field, value, ...
local function version_of(key)
    return tonumber(redis.call('HGET', key, 'v') or 0)
end
local moves = ARGV[1] ~= ''
if moves and (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then
    return 0
end
local held, stale = tonumber(ARGV[3]), tonumber(ARGV[4])
for ix = 1, held do
    if version_of(KEYS[3 + ix]) < tonumber(ARGV[4 + ix]) then
        return 0
    end
end
for ix = held + 1, held + stale do
    if redis.call('HEXISTS', KEYS[3 + ix], 'stale') == 0 then
        return 0
    end
end
for ix = held + 1, held + stale do
    if version_of(KEYS[3 + ix]) < tonumber(ARGV[4 + ix]) then
        redis.call('HSET', KEYS[3 + ix], 'v', ARGV[4 + ix])
    end
end
local at = 5 + held + stale
for key = 4 + held + stale, #KEYS do
    local version, seconds, count = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    if tonumber(version) >= version_of(KEYS[key]) then
        redis.call('DEL', KEYS[key])
        redis.call('HSET', KEYS[key], unpack(ARGV, at + 3, at + 2 + count))
        redis.call('EXPIRE', KEYS[key], seconds)
    elseif not moves then -- the log goes on after what this was made of
        return 0
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
