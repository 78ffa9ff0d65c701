-- Whether a command is stored already is asked of its first event by the whole unique key. By part of the key the
-- planner, as long as it knew little of the table, went through all events of the game instead.
-- The function says and refuses the same as before (0001, 0007).
create or replace function es.append_records(
    the_part smallint, the_game uuid, expected_version int, expected_hash bytea,
    the_command bytea, the_records text[], the_private jsonb, the_request es.request,
    out first_version int, out last_version int, out head_hash bytea, out replayed boolean
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    hashes bytea[] := '{}';
    the_record text;
    last_seq bigint;
    added int;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'appending needs read committed, not %', current_setting('transaction_isolation')
            using errcode = 'invalid_transaction_state';
    end if;
    if coalesce(cardinality(the_records), 0) = 0 then
        raise exception 'a command appends at least one record' using errcode = 'PR422';
    end if;
    perform pg_advisory_xact_lock(1347551233, the_part);

    select (select e.version from es.events e
                where e.part = the_part and e.game_id = the_game and e.command_id = the_command
                  and e.command_ix = 0),
           h.version, h.hash,
           (select max(e.seq) from es.events e where e.part = the_part)
        into first_version, last_version, head_hash, last_seq
        from (select) as one left join lateral (
            select e.version, e.hash from es.events e
                where e.part = the_part and e.game_id = the_game order by e.version desc limit 1
        ) as h on true;
    replayed := first_version is not null;
    if replayed then
        select e.version, e.hash into last_version, head_hash from es.events e
            where e.part = the_part and e.game_id = the_game and e.command_id = the_command
            order by e.command_ix desc limit 1;
        return;
    end if;
    last_version := coalesce(last_version, 0);
    if last_version <> expected_version then
        raise exception 'game % is at version %, not %', the_game, last_version, expected_version
            using errcode = 'PR409', detail = last_version::text;
    end if;
    head_hash := coalesce(head_hash, decode(repeat('00', 32), 'hex'));
    if head_hash is distinct from expected_hash then
        raise exception 'game % has another hash at version %', the_game, last_version
            using errcode = 'PR412';
    end if;

    foreach the_record in array the_records loop
        head_hash := sha256(head_hash || convert_to(the_record, 'UTF8'));
        hashes := hashes || head_hash;
    end loop;
    insert into es.events
        (part, seq, game_id, version, command_id, command_ix, type, record, hash, private)
        select the_part, coalesce(last_seq, 0) + ix, the_game, last_version + ix, the_command, ix - 1,
               said.type, r.record, r.hash, the_private
        from unnest(the_records, hashes) with ordinality as r(record, hash, ix),
             json_to_record(r.record::json)
                as said(game_id text, version text, command_id text, command_ix text, type text)
        where (said.game_id, said.version, said.command_id, said.command_ix)
            = (the_game::text, (last_version + ix)::text, encode(the_command, 'hex'), (ix - 1)::text);
    get diagnostics added = row_count;
    if added <> cardinality(the_records) then
        raise exception 'a record of game % says something else than the call', the_game
            using errcode = 'PR422';
    end if;
    first_version := last_version + 1;
    last_version := last_version + added;

    if the_request is not null then
        insert into es.requests (account_id, key, request_hash, status, answer)
            values (the_request.account_id, the_request.key, the_request.request_hash,
                    the_request.status, the_request.answer)
            on conflict do nothing;
        if not found then
            raise exception 'the request key is taken' using errcode = 'PR423';
        end if;
    end if;
end $$;

-- Old answers are found without looking at all of them.
create index requests_created_at on es.requests (created_at);

-- Nobody needed it.
revoke update on es.invitations from puertorico_commands;
