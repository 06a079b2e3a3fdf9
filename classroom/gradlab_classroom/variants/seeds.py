"""From the bytes of a file that one person holds to the numbers that a set is drawn with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

SHORTEST = 16
"""Bytes of a seed that nobody guesses."""

ADVICE = 'Make one: python -c "import secrets; print(secrets.token_hex(32))" > seed.txt'


class SeedError(ValueError):
    """A seed that cannot be used, and how to make one."""


def read(path: Path) -> bytes:
    """Return a seed: the bytes of a file, without white space around them.

    Raises:
      SeedError: if there is none, or one that could be guessed.
    """
    try:
        seed = path.read_bytes().strip()  # an editor's last newline changes no set
    except OSError as error:
        raise SeedError(f"The seed {path} cannot be read ({error.strerror}). {ADVICE}") from error
    if len(seed) < SHORTEST:
        raise SeedError(
            f"The seed in {path} has {len(seed)} bytes, and {SHORTEST} are the fewest: a shorter "
            f"one can be guessed. {ADVICE}"
        )
    if len(set(seed)) < SHORTEST // 2:
        raise SeedError(
            f"The seed in {path} has {len(set(seed))} different bytes, and can be guessed. {ADVICE}"
        )
    return seed


def generator(seed: bytes, family: str) -> np.random.Generator:
    """Return the source of a family's numbers: SHA-256 of the seed and of the family's name."""
    digest = hashlib.sha256(seed + b"\0" + family.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def fingerprint(seed: bytes) -> str:
    """Return what tells two seeds apart, and gives neither away."""
    return hashlib.sha256(b"fingerprint\0" + seed).hexdigest()[:16]
