"""Remedies as estimators of a blurred gradient, on unrolls that are chaotic and on the cliff."""
