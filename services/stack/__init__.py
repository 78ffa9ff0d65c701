"""The whole system on one machine: embedded servers, the `puertorico` command, the merged spec."""
