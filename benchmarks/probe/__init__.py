"""What recording costs in a training step."""
