-- Puts games into the lists and moves a part's checkpoint there: all of it, or nothing and 0.
-- KEYS: checkpoints, placed, documents, what stands before the name of each list (same slot)
-- ARGV: part, checkpoint that was read and the one to set (both '' to place games only),
--       then for each game: id, version, places ("list member list member ..."),
--       number of the following, member, document, ...
local moves = ARGV[2] ~= ''
if moves and (redis.call('HGET', KEYS[1], ARGV[1]) or '0') ~= ARGV[2] then
    return 0
end
local at = 4
while at < #ARGV do
    local game, version, places, count = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
    local held = redis.call('HGET', KEYS[2], game) or '0 '
    if tonumber(version) >= tonumber(string.match(held, '^%d+')) then
        local left = {} -- where it stood and stands no more; most places never change
        for list, member in string.gmatch(string.match(held, ' (.*)'), '(%S+) (%S+)') do
            left[list] = member
        end
        for list, member in string.gmatch(places, '(%S+) (%S+)') do
            redis.call('ZADD', KEYS[4] .. list, 0, member) -- also where it stood: a list may be lost
            if left[list] == member then
                left[list] = nil
            end
        end
        for list, member in pairs(left) do
            redis.call('ZREM', KEYS[4] .. list, member)
            redis.call('HDEL', KEYS[3], member)
        end
        redis.call('HSET', KEYS[3], unpack(ARGV, at + 4, at + 3 + count))
        redis.call('HSET', KEYS[2], game, version .. ' ' .. places)
    end
    at = at + 4 + count
end
if moves then
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
