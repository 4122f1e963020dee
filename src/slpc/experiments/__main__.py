"""`python -m slpc.experiments`: the same as `slpc reproduce`."""

from slpc.experiments.reproduce import reproduce

reproduce(prog_name="python -m slpc.experiments")
