-- What bots say of themselves: how they play, and whether they take seats that others give them.
alter table es.accounts
    add column strategy text,
    add column accepts_seats boolean not null default false,
    add constraint accounts_only_bots_check
        check (kind = 'bot' or (strategy is null and not accepts_seats));
create index accounts_accepts_seats_idx on es.accounts (account_id) where accepts_seats;
grant select (strategy, accepts_seats) on es.accounts to puertorico_queries;
