"""What the scikit-learn face accepts: each check gives back what was asked for, or an error that says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from slpc.polyline import Array, as_points

_LARGEST = 1e150
_HEAVIEST = 1e100  # weights are multiplied by up to 1e12 as the past fades, and by one another


@contextmanager
def unchanged_if_refused(model: object) -> Iterator[None]:
    """Give the model back the attributes it had, if an error stops the call."""
    before = dict(vars(model))
    try:
        yield
    except BaseException:
        vars(model).clear()
        vars(model).update(before)
        raise


def rows(model: Any, X: ArrayLike, *, fresh: bool = False) -> Array:
    """The rows of `X` as finite numbers, with the features that the model knows; a fresh one gets to know them."""
    if isinstance(X, (list, tuple)):
        X = np.asanyarray(X)
    _refuse_dates_and_masks(X)
    points: Array = validate_data(model, X, dtype=np.float64, order="C", reset=fresh)
    if np.abs(points).max(initial=0.0) > _LARGEST:
        row, column = (int(i) for i in np.argwhere(np.abs(points) > _LARGEST)[0])
        raise ValueError(f"X[{row}, {column}] is {points[row, column]}: squares of values above {_LARGEST:g} overflow")
    return points


def as_table(X: Any) -> Any:
    """One row, given as it is, as a table of one row; a table as it is."""
    if hasattr(X, "iloc") and X.ndim == 1:
        return X.to_frame().T  # a row of a pandas table: its names are checked like those of the table
    if isinstance(X, (list, tuple)) or len(getattr(X, "shape", ())) == 1:
        X = np.asanyarray(X)
        return X.reshape(1, -1) if X.ndim == 1 and X.size else X
    return X


def _refuse_dates_and_masks(X: Any) -> None:
    if np.ma.is_masked(X):
        raise ValueError("X has masked values: fill them, or leave their rows out")
    kinds = [X.dtype] if hasattr(X, "dtype") else list(getattr(X, "dtypes", ()))
    for kind in kinds:
        if getattr(kind, "kind", "") in ("M", "m") or str(kind).startswith(("Date", "Time", "Duration")):
            raise ValueError(
                f"X holds dates, times or durations ({kind}), whose unit is unknown: give them as numbers, "
                "such as seconds since the first"
            )


def weights(sample_weight: ArrayLike, n: int, before: float) -> Array:
    """A finite weight for each of `n` rows, small enough in total with what was `before`."""
    try:
        weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must have one number a row ({error})") from None
    if weight.shape != (n,):
        raise ValueError(f"sample_weight must have one entry a row, {n}, got shape {weight.shape}")
    if not (np.isfinite(weight).all() and (weight >= 0).all()):
        raise ValueError("sample_weight must be finite and at least 0")
    with np.errstate(over="ignore"):
        total = before + float(weight.sum())
    if total > _HEAVIEST:
        raise ValueError(
            f"sample_weight: the rows and all before them would weigh {total:g} together, which may be {_HEAVIEST:g} "
            "at most: divide all weights by a number"
        )
    return weight


def origin(value: object) -> str:
    """Where places along the curve are counted from."""
    if not (isinstance(value, str) and value in ("start", "anchor")):
        raise ValueError(f'origin must be "start" or "anchor", got {value!r}')
    return value


def start(value: ArrayLike | None, d: int) -> tuple[float, ...] | None:
    """The point at which the curve is to begin."""
    if value is None:
        return None
    try:
        points = as_points(value, d)
    except (OverflowError, ValueError) as error:
        raise ValueError(f"start must be one point or None: {error}") from None
    if len(points) != 1:
        raise ValueError(f"start must be one point or None, got {len(points)} points")
    return tuple(points[0].tolist())


def verbose(value: object) -> bool:
    """Whether to show progress."""
    if not isinstance(value, (bool, np.bool_, int, np.integer)) or value < 0:
        raise ValueError(f"verbose must be a whole number from 0, or a bool, got {value!r}")
    return bool(value)


def places(S: ArrayLike) -> Array:
    """Arc lengths, one a row."""
    values = np.asarray(S, dtype=np.float64)
    if values.ndim not in (1, 2) or values.shape[1:] not in ((), (1,)):
        raise ValueError(f"S must have one arc length a row, in shape (n, 1) or (n,), got {values.shape}")
    return values.reshape(-1)
