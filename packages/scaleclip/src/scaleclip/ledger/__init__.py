"""Dynamics unrolled in time, and where their gradients go."""

from scaleclip.ledger._type import Ledger
from scaleclip.ledger.jax_ledger import ledger
from scaleclip.ledger.placements import PLACEMENTS, coefficients, unroll_losses

__all__ = ["PLACEMENTS", "Ledger", "coefficients", "ledger", "unroll_losses"]
