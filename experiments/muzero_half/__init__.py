"""MuZero with and without its half: a learned model, a search, self-play, and sixty-four seeds an arm."""
