"""Run code that nobody has read: in bubblewrap, within limits, and bring back plain data."""
