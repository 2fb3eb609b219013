"""Audits very many records: in several processes or on several machines, into files, and resumable."""
