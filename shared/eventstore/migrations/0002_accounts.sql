-- Who is behind an account id. Personal data is here and nowhere else, with ordinary rights, so that
-- an account can be erased while the log stays whole.

create table es.accounts (
    account_id uuid primary key,
    name text not null,
    created_at timestamptz not null default clock_timestamp(),
    password_hash text,
    kind text not null default 'human' check (kind in ('human', 'bot'))
);
create unique index accounts_name_key on es.accounts (lower(name));

create table es.tokens (
    token_id uuid primary key,
    account_id uuid not null references es.accounts,
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    label text not null,
    scopes text[] not null,
    created_at timestamptz not null default clock_timestamp(),
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz
);
create index tokens_account_id_idx on es.tokens (account_id);

grant select, insert, update on es.accounts to puertorico_commands;
grant select, insert, update, delete on es.tokens to puertorico_commands;
grant select (account_id, name, created_at, kind) on es.accounts to puertorico_queries;
grant select on es.tokens to puertorico_queries;
