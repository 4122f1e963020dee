"""The one decorator that every kernel wears."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Unsigned = NDArray[np.unsignedinteger]
Booleans = NDArray[np.bool_]

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` on first use and keep the machine code on disk.

    Division by zero follows IEEE rules instead of raising, and no fastmath flag is set: NaN and infinity
    mean what they say. The cache is keyed on the file of `function`, so a kernel calls only kernels of
    its own file.
    """
    return cast("F", numba.njit(cache=True, error_model="numpy")(function))
