"""Functions from a record to its examples, one module a category."""
