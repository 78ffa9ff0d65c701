"""What `puertorico doctor` looks at, one module a subject; nothing here changes anything."""
