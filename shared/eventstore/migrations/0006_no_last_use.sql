-- Nobody noted it and nobody asked for it.
alter table es.tokens drop column last_used_at;
