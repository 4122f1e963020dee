"""A learner as bytes, and back: data only, versioned, checksummed; and files written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import shutil
import zlib
from typing import Any

import numpy as np

from slpc.learner.learner import Learner
from slpc.learner.settings import Settings
from slpc.learner.state import State

MAGIC = b"slpc learner\n"
VERSION = 1
_DIGITS = 8  # of the checksum of all that follows it, and of the length of the description, which comes next

_WHAT_TO_DO = {
    errno.EACCES: "choose a place where you may write",
    errno.EISDIR: "give the name of a file in this folder",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ENOENT: "make its folder first",
    errno.ENOSPC: "make room, or choose another disk",
    errno.ENOTDIR: "choose a folder before the name",
}


class NotALearnerError(ValueError):
    """The bytes are not a learner that this version can read."""


def another_version(source: str, error: Exception) -> NotALearnerError:
    """What to raise where intact data do not hold what this version writes."""
    return NotALearnerError(
        f"{source} was written by another version of slpc, or by another program: this one cannot use what it holds "
        f"({type(error).__name__}: {error}); load it with the version that wrote it"
    )


def to_bytes(learner: Learner | None, extra: dict[str, Any]) -> bytes:
    """The learner and whatever plain data belong to it."""
    description: dict[str, Any] = {"version": VERSION, "extra": extra, "settings": None, "arrays": {}}
    body = b""
    if learner is not None:
        description["settings"] = vars(learner.settings)
        for name, array in learner.state.arrays().items():
            little = array.astype(array.dtype.newbyteorder("<"))
            description["arrays"][name] = _form(little) | {"at": len(body)}
            body += little.tobytes()
    text = json.dumps(description, default=_plain).encode()
    payload = f"{len(text):0{_DIGITS}x}".encode() + text + body
    return MAGIC + f"{zlib.crc32(payload):0{_DIGITS}x}".encode() + payload


def _form(array: Any) -> dict[str, Any]:
    """Type and shape, as JSON gives them back."""
    kind = [list(field) for field in array.dtype.descr] if array.dtype.names else array.dtype.str
    return {"dtype": kind, "shape": list(array.shape)}


def _plain(value: object) -> object:
    """Numpy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot save {value!r}: only numbers, text and None are kept")


def from_bytes(data: bytes, source: str = "the data") -> tuple[Learner | None, dict[str, Any]]:
    """Read what `to_bytes` wrote; `NotALearnerError` says what is wrong with anything else."""
    if not data.startswith(MAGIC):
        raise NotALearnerError(f"{source} is not a saved slpc learner")
    checksum, payload = data[len(MAGIC) : len(MAGIC) + _DIGITS], data[len(MAGIC) + _DIGITS :]
    if checksum != f"{zlib.crc32(payload):0{_DIGITS}x}".encode():
        raise NotALearnerError(f"{source} is damaged: it was cut short or changed after it was saved")
    try:
        end = _DIGITS + int(payload[:_DIGITS], 16)
        description = json.loads(payload[_DIGITS:end])
        version = int(description["version"])
        extra = dict(description["extra"])
        if version <= VERSION:
            return _read(description, payload[end:]), extra
    except (ArithmeticError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise another_version(source, error) from error
    raise NotALearnerError(
        f"{source} was saved by a newer slpc (format {version}; this one reads up to {VERSION}): upgrade slpc"
    )


def _read(description: dict[str, Any], body: bytes) -> Learner | None:
    """The learner of a description; an error of any kind where its state is not of the form that kernels rely on."""
    stored, arrays = description["settings"], description["arrays"]
    if stored is None:
        return None
    settings = Settings(**stored | {"start": None if stored["start"] is None else tuple(stored["start"])})
    (d,) = arrays["origin"]["shape"]
    learner = Learner(settings, d)
    expected = learner.state.arrays()
    if set(arrays) != set(expected):
        raise ValueError(f"arrays {sorted(set(arrays) ^ set(expected))}")
    found: dict[str, Any] = {}
    for name, empty in expected.items():
        dtype = empty.dtype.newbyteorder("<")
        if _form(empty.astype(dtype)) | {"at": arrays[name]["at"]} != arrays[name]:
            raise ValueError(f"the form of array {name}")
        flat = np.frombuffer(body, dtype, empty.size, arrays[name]["at"])
        found[name] = flat.reshape(empty.shape).astype(empty.dtype)
    learner.state = State(**found)
    return learner


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that after any interruption it is either the old one or the new one, whole.

    A link stays a link; a file that is there keeps its permissions.
    """
    given = os.fsdecode(path)
    target = os.path.realpath(given)
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.slpc")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if not isinstance(error, OSError):
            raise
        advice = _WHAT_TO_DO.get(error.errno or 0, "choose another place")
        raise OSError(error.errno, f"cannot save: {error.strerror}; {advice}", given) from error
