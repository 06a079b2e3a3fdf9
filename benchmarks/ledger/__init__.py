"""The ledger beside copies of the parameters, to K = 1,000."""
