"""Benchmarks of LLM-context systems as pytest tests."""
