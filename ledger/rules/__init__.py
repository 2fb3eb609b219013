"""What a game is: the contract that all games keep, and what they share."""
