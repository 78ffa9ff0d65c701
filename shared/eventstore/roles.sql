-- What must be there before the first migration: roles (of the whole cluster, so other databases may
-- be creating them at this moment) and the schema. Run at every migration; changes nothing twice.
do $$
declare
    the_role text;
begin
    foreach the_role in array
        array['puertorico_owner', 'puertorico_commands', 'puertorico_projector', 'puertorico_queries']
    loop
        begin
            if not exists (select from pg_roles where rolname = the_role) then
                execute format('create role %I nologin', the_role);
            end if;
        exception when duplicate_object or unique_violation then null;
        end;
        -- A login that is no superuser must be a member before it can act as the role.
        if not (select rolsuper from pg_roles where rolname = current_user) then
            begin
                execute format('grant %I to current_user', the_role);
            exception when insufficient_privilege then null;
            end;
        end if;
    end loop;
end $$;

create schema if not exists es authorization puertorico_owner;
set local role puertorico_owner;

create table if not exists es.migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
);
