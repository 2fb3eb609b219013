"""Readers fed with nonsense: by `make fuzz` with atheris, millions of times; by tests/test_fuzz.py without it."""
