"""Experiments whose results the book shows: a protocol each, and what runs it."""
