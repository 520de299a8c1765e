"""Mathematical answers: find the answer in a text, read it, compare it by exact rules."""
