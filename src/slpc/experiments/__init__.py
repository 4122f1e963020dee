"""The paper's tables and figures, one file an experiment.

`slpc reproduce` (or `python -m slpc.experiments`) runs those that `reproduce.NAMES` lists and writes a page about them;
`python -m slpc.experiments.bounds` checks the paper's bounds.
"""
