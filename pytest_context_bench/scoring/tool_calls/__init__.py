"""Function calls that a model makes, against those that are right."""
