"""Answers a club's questions: who plays, who wins, what games are like, and who is ahead.

Everything here is computed from the results of games (`Store.results`) and from the aliases that the owner keeps.  It
reads no file and no clock.
"""
