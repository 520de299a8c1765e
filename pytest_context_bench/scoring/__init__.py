"""Pure scoring functions: text in, numbers out; one file a subject."""
