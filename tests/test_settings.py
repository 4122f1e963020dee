"""What a learner may be told."""

import inspect

import numpy as np
import pytest

import slpc
from slpc import river
from slpc.learner import Settings

NUMBERS = ["half_life", "length_penalty", "segment_penalty", "temperature", "spacing", "exploration"]
WHOLE = ["max_segments", "memory", "warm_up", "random_state"]


@pytest.mark.parametrize("name", NUMBERS + WHOLE)
@pytest.mark.parametrize(
    "bad", ["a", [1], True, np.bool_(True), np.array([1.0, 2.0]), 1j, 10**400, -1, np.nan], ids=str
)
def test_what_is_no_number_is_refused_by_name(name, bad):
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got"):
        Settings(**{name: bad})


@pytest.mark.parametrize("name", ["length_penalty", "segment_penalty", "temperature", *WHOLE, "lookahead"])
def test_none_only_where_it_means_something(name):
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got None"):
        Settings(**{name: None})


@pytest.mark.parametrize("bad", ["no", 1, 0.0, [True]])
def test_lookahead_is_a_bool(bad):
    with pytest.raises(ValueError, match="lookahead must be True or False, got"):
        Settings(lookahead=bad)
    assert Settings(lookahead=np.bool_(False)).lookahead is False


def test_python_s_own_numbers_are_kept():
    settings = Settings(
        **dict.fromkeys(NUMBERS, np.float32(1)),
        max_segments=np.uint8(3), memory=np.int16(40), warm_up=np.int64(5), random_state=np.uint64(7),
    )  # fmt: skip
    assert {type(getattr(settings, name)) for name in NUMBERS} == {float}
    assert {type(getattr(settings, name)) for name in WHOLE} == {int}
    X = np.random.default_rng(0).normal(size=(200, 2))
    assert slpc.SLPC(max_segments=np.uint8(3)).fit(X).curve_ == slpc.SLPC(max_segments=3).fit(X).curve_


def test_no_more_segments_than_can_be_explored():
    Settings(max_segments=1000)
    with pytest.raises(ValueError, match="max_segments must be a whole number from 1 to 1,000, got 1001"):
        Settings(max_segments=1001)


def test_both_faces_have_the_same_parameters():
    def defaults(face):
        parameters = inspect.signature(face).parameters
        return {name: parameter.default for name, parameter in parameters.items()}

    mine, theirs = defaults(slpc.SLPC), defaults(river.SLPC)
    for name in ("start", "origin", "verbose"):  # not for river
        del mine[name]
    assert theirs.pop("seed") == mine.pop("random_state")
    assert theirs == mine
