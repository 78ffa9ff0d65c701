-- Events that a projection could not take in; their games are marked stale and folded anew after a fix.

create table es.dead_letters (
    id bigint generated always as identity primary key,
    part smallint not null,
    game_id uuid not null,
    seq bigint not null,
    version int not null,
    error text not null,
    attempts int not null,
    created_at timestamptz not null default clock_timestamp(),
    resolved_at timestamptz
);
create index dead_letters_open_idx on es.dead_letters (game_id) where resolved_at is null;

grant select, insert, update on es.dead_letters to puertorico_projector;
grant select on es.dead_letters to puertorico_queries;
