"""Proof that nothing was changed or lost: the tree head, signed checkpoints, the manifest of an archive."""
