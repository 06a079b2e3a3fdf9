"""The operators' times and costs beside Optax's."""
