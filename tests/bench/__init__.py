"""How fast it is: cases against their own floor and against named peers, in one run."""
