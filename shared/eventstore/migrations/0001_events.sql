-- The log, the seeds, the answers kept for retries, and the two functions that alone may write them.

create table es.events (
    part smallint not null check (part = get_byte(uuid_send(game_id), 15)),
    seq bigint not null check (seq > 0),
    game_id uuid not null,
    version int not null check (version > 0),
    command_id bytea not null check (octet_length(command_id) = 16),
    command_ix smallint not null check (command_ix >= 0),
    type text not null,
    record text not null,
    hash bytea not null check (octet_length(hash) = 32),
    recorded_at timestamptz not null default clock_timestamp(),
    private jsonb,
    primary key (part, seq),
    unique (part, game_id, version),
    unique (part, game_id, command_id, command_ix)
);

create table es.seeds (
    game_id uuid primary key,
    seed bytea not null check (octet_length(seed) = 32)
);

create table es.invitations (
    game_id uuid primary key,
    code text not null
);

create table es.requests (
    account_id uuid not null,
    key text not null,
    request_hash bytea not null check (octet_length(request_hash) = 32),
    status smallint not null check (status between 200 and 299),
    answer bytea not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (account_id, key)
);

create type es.request as (
    account_id uuid, key text, request_hash bytea, status smallint, answer bytea
);

-- Append-only also for the owner. "Always": a replication role in the session does not switch it off.
create function es.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    raise exception 'es.% is append-only: % refused', tg_table_name, tg_op using errcode = 'PR403';
end $$;

create trigger append_only before update or delete or truncate on es.events
    for each statement execute function es.refuse_change();
create trigger append_only before update or delete or truncate on es.seeds
    for each statement execute function es.refuse_change();
alter table es.events enable always trigger append_only;
alter table es.seeds enable always trigger append_only;

-- The one writer of events; nobody may call it but append and create_game, which run as the owner.
--
-- The lock makes seq gap-free within the part. It needs read committed: every statement after the
-- lock must see what the lock's last holder committed. The request row comes last: whoever waits for
-- another's row there is waited for by nobody who holds a row, so no two appends can deadlock.
--
-- SQLSTATEs: PR409 version conflict (detail: the actual version), PR412 another previous hash,
-- PR422 records that do not say what the call says, PR423 the request key is taken.
create function es.append_records(
    the_part smallint, the_game uuid, expected_version int, expected_hash bytea,
    the_command bytea, the_records text[], the_private jsonb, the_request es.request,
    out first_version int, out last_version int, out head_hash bytea, out replayed boolean
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    the_record text;
    said json;
    last_seq bigint;
    ix int := 0;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'appending needs read committed, not %', current_setting('transaction_isolation')
            using errcode = 'invalid_transaction_state';
    end if;
    if coalesce(cardinality(the_records), 0) = 0 then
        raise exception 'a command appends at least one record' using errcode = 'PR422';
    end if;
    perform pg_advisory_xact_lock(1347551233, the_part);

    replayed := true;
    select min(e.version), max(e.version) into first_version, last_version from es.events e
        where e.part = the_part and e.game_id = the_game and e.command_id = the_command;
    if last_version is not null then
        select e.hash into head_hash from es.events e
            where e.part = the_part and e.game_id = the_game and e.version = last_version;
        return;
    end if;

    replayed := false;
    select e.version, e.hash into last_version, head_hash from es.events e
        where e.part = the_part and e.game_id = the_game order by e.version desc limit 1;
    last_version := coalesce(last_version, 0);
    head_hash := coalesce(head_hash, decode(repeat('00', 32), 'hex'));
    if last_version <> expected_version then
        raise exception 'game % is at version %, not %', the_game, last_version, expected_version
            using errcode = 'PR409', detail = last_version::text;
    end if;
    if head_hash is distinct from expected_hash then
        raise exception 'game % has another hash at version %', the_game, last_version
            using errcode = 'PR412';
    end if;

    first_version := last_version + 1;
    select coalesce(max(e.seq), 0) into last_seq from es.events e where e.part = the_part;
    foreach the_record in array the_records loop
        last_seq := last_seq + 1;
        last_version := last_version + 1;
        head_hash := sha256(head_hash || convert_to(the_record, 'UTF8'));
        said := the_record::json;
        if (said ->> 'game_id', said ->> 'version', said ->> 'command_id', said ->> 'command_ix')
            is distinct from (the_game::text, last_version::text, encode(the_command, 'hex'), ix::text)
        then
            raise exception 'record % of game % says something else than the call', last_version, the_game
                using errcode = 'PR422';
        end if;
        insert into es.events
            (part, seq, game_id, version, command_id, command_ix, type, record, hash, private)
            values (the_part, last_seq, the_game, last_version, the_command, ix, said ->> 'type',
                    the_record, head_hash, the_private);
        ix := ix + 1;
    end loop;

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

create function es.append(
    the_part smallint, the_game uuid, expected_version int, expected_hash bytea,
    the_command bytea, the_records text[], the_private jsonb, the_request es.request,
    out first_version int, out last_version int, out head_hash bytea, out replayed boolean
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if expected_version < 1 then
        raise exception 'a game begins with create_game' using errcode = 'PR422';
    end if;
    select r.* into first_version, last_version, head_hash, replayed
        from es.append_records(the_part, the_game, expected_version, expected_hash,
                               the_command, the_records, the_private, the_request) r;
end $$;

create function es.create_game(
    the_part smallint, the_game uuid, the_command bytea, the_records text[],
    the_seed bytea, invitation_code text, the_private jsonb, the_request es.request,
    out first_version int, out last_version int, out head_hash bytea, out replayed boolean
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    select r.* into first_version, last_version, head_hash, replayed
        from es.append_records(the_part, the_game, 0, decode(repeat('00', 32), 'hex'),
                               the_command, the_records, the_private, the_request) r;
    if not replayed then
        insert into es.seeds (game_id, seed) values (the_game, the_seed);
        if invitation_code is not null then
            insert into es.invitations (game_id, code) values (the_game, invitation_code);
        end if;
    end if;
end $$;

revoke all on all functions in schema es from public;
grant usage on schema es to puertorico_commands, puertorico_projector, puertorico_queries;
grant execute on function es.append, es.create_game to puertorico_commands;
grant select on es.events, es.seeds, es.invitations, es.requests to puertorico_commands;
grant update on es.invitations to puertorico_commands;
grant delete on es.requests to puertorico_commands;
-- Who asked, by which request and token, is the command service's own business: no "private" here.
grant select (part, seq, game_id, version, command_id, command_ix, type, record, hash, recorded_at)
    on es.events to puertorico_projector, puertorico_queries;
