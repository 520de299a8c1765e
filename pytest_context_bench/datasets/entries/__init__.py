"""The entries of the table, one module a category."""
