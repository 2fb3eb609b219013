"""Readers given random input: by `make fuzz` with atheris, millions of times, and by tests/test_fuzz.py without it."""
