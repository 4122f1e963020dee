"""A learner as bytes, and back: data only, versioned, checksummed; and files written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from slpc.learner.learner import Learner
from slpc.learner.settings import Settings
from slpc.learner.state import State

MAGIC = b"slpc learner\n"
VERSION = 1
_HEADER = 16  # two numbers of 8 digits: the length of the description, the checksum of all behind it


class NotALearnerError(ValueError):
    """The bytes are not a learner that this version can read."""


def to_bytes(learner: Learner | None, extra: dict[str, Any]) -> bytes:
    """The learner and whatever plain data belong to it."""
    description: dict[str, Any] = {"version": VERSION, "extra": extra, "settings": None, "arrays": {}}
    body = b""
    if learner is not None:
        description["settings"] = vars(learner.settings)
        for name, array in learner.state.arrays().items():
            kind = array.dtype.descr if array.dtype.names else array.dtype.str
            description["arrays"][name] = {"dtype": kind, "shape": array.shape, "at": len(body)}
            body += array.astype(array.dtype.newbyteorder("<")).tobytes()
    text = json.dumps(description, default=_plain).encode()
    payload = text + body
    return MAGIC + f"{len(text):08x}{zlib.crc32(payload):08x}".encode() + payload


def _plain(value: object) -> object:
    """Numpy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot save {value!r}: only numbers, text and None are kept")


def from_bytes(data: bytes, source: str = "the data") -> tuple[Learner | None, dict[str, Any]]:
    """Read what `to_bytes` wrote; `NotALearnerError` says what is wrong with anything else."""
    if not data.startswith(MAGIC):
        raise NotALearnerError(f"{source} is not a saved slpc learner")
    try:
        size, checksum = (int(data[len(MAGIC) + i : len(MAGIC) + i + 8], 16) for i in (0, 8))
        payload = data[len(MAGIC) + _HEADER :]
        intact = zlib.crc32(payload) == checksum
    except ValueError:
        intact = False
    if not intact:
        raise NotALearnerError(f"{source} is damaged: it was cut short or changed after it was saved")
    description = json.loads(payload[:size])
    if description["version"] > VERSION:
        raise NotALearnerError(
            f"{source} was saved by a newer slpc (format {description['version']}; this one reads up to {VERSION}): "
            "upgrade slpc"
        )
    if description["settings"] is None:
        return None, description["extra"]
    stored = description["settings"]
    settings = Settings(**stored | {"start": None if stored["start"] is None else tuple(stored["start"])})
    arrays: dict[str, Any] = {}
    for name, about in description["arrays"].items():
        kind = about["dtype"]
        dtype = np.dtype([(field, code) for field, code in kind] if isinstance(kind, list) else kind)
        count = int(np.prod(about["shape"]))
        array = np.frombuffer(payload, dtype, count, size + about["at"]).reshape(about["shape"])
        arrays[name] = array.astype(dtype.newbyteorder("="))
    state = State(**arrays)
    learner = Learner(settings, len(state.means))
    learner.state = state
    return learner, description["extra"]


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that after any interruption it is either the old one or the new one, whole."""
    target = Path(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
