"""The pages of the viewer: the list, the replay, what can be shared, and live updates."""
