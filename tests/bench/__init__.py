"""How fast it is: each case compared with the least that it could cost and with other programs, in one run."""
