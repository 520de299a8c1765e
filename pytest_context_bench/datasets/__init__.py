"""The data sets: each gives its examples one at a time, in a fixed order."""
