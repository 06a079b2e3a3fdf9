"""Handwritten digits as sequences: read row by row, or pixel by pixel."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

Order = Literal["rows", "pixels"]
TEST = 360
"""Images that are kept for the test; 1,437 are left to train on."""


class Digits(NamedTuple):
    """Images as sequences, and what they show.

    Attributes:
      train, test: the sequences, float32 ``[N, steps, inputs]``, entries from 0 to 1.
      train_labels, test_labels: int32 ``[N]``, 0 to 9.
    """

    train: np.ndarray
    train_labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray


def digits(order: Order = "rows", *, wait: int = 0, seed: int = 0) -> Digits:
    """Scikit-learn's 1,797 handwritten digits, 8 by 8 pixels each, as sequences.

    Args:
      order: ``"rows"``, 8 steps of 8 pixels; ``"pixels"``, 64 steps of one.
      wait: empty steps after the image, of zeros: how long what was seen is to be kept.
      seed: of the division into 1,437 images for training and 360 for the test.

    Raises:
      ValueError: for another order, or a wait below 0.
      ImportError: where scikit-learn is not installed.

    Source: ``sklearn.datasets.load_digits``, the test set of Alpaydin and Kaynak 1998 (UCI,
      *Optical Recognition of Handwritten Digits*), which is part of scikit-learn's wheel.
    """
    if order not in get_args(Order):
        raise ValueError(f"order is {order!r}; expected 'rows' or 'pixels'.")
    if wait < 0:
        raise ValueError(f"wait is {wait}; expected a number of empty steps, 0 or more.")
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise ImportError(
            "The digits are scikit-learn's, which is not installed. Install it: pip install scikit-learn"
        ) from error
    images, labels = load_digits(return_X_y=True)
    inputs = 8 if order == "rows" else 1
    sequences = (images / 16).astype(np.float32).reshape(len(images), -1, inputs)
    sequences = np.pad(sequences, ((0, 0), (0, wait), (0, 0)))
    mixed = np.random.default_rng(seed).permutation(len(images))
    train, test = mixed[:-TEST], mixed[-TEST:]
    labels = labels.astype(np.int32)
    return Digits(sequences[train], labels[train], sequences[test], labels[test])
