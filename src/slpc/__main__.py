"""`python -m slpc` is the command `slpc`."""

from slpc.cli import main

main(prog_name="slpc")
