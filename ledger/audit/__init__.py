"""What a record shows under the rules: its states, its findings, and their sentences."""
