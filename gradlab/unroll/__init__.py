"""Dynamics unrolled in time, and where their gradients go."""

from gradlab.unroll._ledger_type import Ledger
from gradlab.unroll.ledger import ledger
from gradlab.unroll.placements import PLACEMENTS, coefficients, unroll_losses

__all__ = ["PLACEMENTS", "Ledger", "coefficients", "ledger", "unroll_losses"]
