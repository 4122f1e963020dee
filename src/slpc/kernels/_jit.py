"""The one decorator that every kernel wears."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Unsigned = NDArray[np.unsignedinteger]
Booleans = NDArray[np.bool_]

F = TypeVar("F", bound=Callable[..., Any])

# Compiled code on disk is good as long as no kernel file changes. numba itself looks at the one file in which a kernel
# stands, and would go on using old code of the kernels that it calls.
_STAMP = tuple((f.name, f.stat().st_mtime, f.stat().st_size) for f in sorted(Path(__file__).parent.glob("*.py")))


def kernel(function: F) -> F:
    """Compile `function` on first use and keep the machine code on disk.

    Division by zero follows IEEE rules instead of raising, and no fastmath flag is set: NaN and infinity
    mean what they say.
    """
    return _compiled(function, set())


def kernel_of_numbers(function: F) -> F:
    """A kernel whose arguments hold no NaN: least values may be found in vectors. Infinity still means what it says."""
    return _compiled(function, {"nnan", "nsz"})


def kernel_of_sums(function: F) -> F:
    """The same, and a sum may be taken in any order that suits vectors: in the same one each time."""
    return _compiled(function, {"nnan", "nsz", "reassoc"})


def _compiled(function: F, flags: set[str]) -> F:
    compiled = numba.njit(cache=True, error_model="numpy", fastmath=flags)(function)
    index = getattr(getattr(compiled, "_cache", None), "_cache_file", None)  # None where numba's compiler is off
    if index is not None:
        index._source_stamp = _STAMP
    return cast("F", compiled)
