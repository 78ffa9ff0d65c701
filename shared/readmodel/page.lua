-- A page of a list, newest first, with the documents of the same moment.
-- KEYS: checkpoints, documents, the list; ARGV: where to begin (a bound of BYLEX), how many
-- Answers whether the lists are complete (1 or false), then members and documents by turns.
local page = { redis.call('HGET', KEYS[1], 'complete') }
local members = redis.call('ZRANGE', KEYS[3], ARGV[1], '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[2])
for _, member in ipairs(members) do
    table.insert(page, member)
    table.insert(page, redis.call('HGET', KEYS[2], member))
end
return page
