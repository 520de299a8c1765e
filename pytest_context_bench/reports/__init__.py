"""The reports: one result, written for people and for programs."""
