"""A club's questions: who plays, who wins, how games go, and who is ahead.

Everything here is computed from the results of games (`Store.results`) and from the aliases that the owner keeps.  It
reads no file and no clock.
"""
