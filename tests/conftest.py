import os

import pytest
from hypothesis import settings

from slpc.paper import ActionClass, Lattice

settings.register_profile("default", deadline=None)
# The same cases in every run, so that a red run means a change and not a throw of the dice.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=3000)  # pytest --hypothesis-profile=thorough
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def small():
    """280 lines of up to 3 segments on 9 lattice points of the plane."""
    return ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=3)
