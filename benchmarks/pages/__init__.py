"""The pages of the built book, as a reader on a slow phone has them."""
