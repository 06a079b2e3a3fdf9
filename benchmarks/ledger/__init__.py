"""The ledger beside copies of the parameters, to K = 1,000."""

MEASURES = ("gradlab/unroll",)
"""The paths that this benchmark measures."""
