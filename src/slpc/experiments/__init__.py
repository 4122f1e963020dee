"""The paper's tables and figures, one file an experiment; each runs by `python -m slpc.experiments.NAME`."""
