"""Games of a made-up club that come with the program, to look at before there are any of one's own."""
