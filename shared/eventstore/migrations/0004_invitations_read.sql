-- Members of a private game may read its code again, and reads are the query service's.
grant select on es.invitations to puertorico_queries;
