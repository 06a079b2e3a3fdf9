"""The ledger's tests have 64 bits, and short compilations, as the operators' have."""

from tests.ops.conftest import _wide as _wide
