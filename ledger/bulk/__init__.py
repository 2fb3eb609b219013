"""Auditing very many records: on several processes or machines, with results in files, and resumable."""
