"""The ledger beside copies of the parameters, to K = 1,000."""

MEASURES = ("packages/sccbook/src/sccbook/models",)
"""The paths that this benchmark measures."""
