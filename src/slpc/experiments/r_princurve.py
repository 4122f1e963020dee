"""R's own princurve, refitted at every step, where Rscript and the package are installed."""

from __future__ import annotations

import functools
import shutil
import subprocess
from dataclasses import dataclass

import numpy as np

from slpc.polyline import Array

_SCRIPT = """
suppressPackageStartupMessages(library(princurve))
given <- commandArgs(TRUE)
X <- as.matrix(read.csv(file("stdin"), header = FALSE))
options <- eval(parse(text = given[[1]]))
start <- proc.time()[["elapsed"]]
losses <- suppressWarnings(sapply(seq_len(nrow(X))[-(1:as.integer(given[[2]]))], function(t) tryCatch({
  f <- do.call(principal_curve, c(list(X[seq_len(t - 1), , drop = FALSE]), options))
  project_to_curve(X[t, , drop = FALSE], f$s[f$ord, , drop = FALSE], stretch = 0)$dist_ind
}, error = function(e) NaN)))
cat(proc.time()[["elapsed"]] - start, losses, sep = "\\n")
"""


@dataclass(frozen=True)
class RPrincurve:
    """Losses of every point after the warm-up (NaN where R refuses to fit) and the seconds they took."""

    losses: Array
    seconds: float


@functools.cache
def installed() -> bool:
    """Whether R can be asked."""
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(princurve)"], capture_output=True).returncode == 0


def prequential(X: Array, options: str, warm_up: int) -> RPrincurve:
    """Losses of `principal_curve(x_1..x_{t-1}, options)` at x_t; `options` is an R list."""
    rows = "\n".join(",".join(f"{value:.17g}" for value in row) for row in X.tolist())
    run = subprocess.run(
        ["Rscript", "-e", _SCRIPT, options, str(warm_up)], input=rows, capture_output=True, text=True, check=True
    )
    seconds, *losses = (float(text) for text in run.stdout.split())
    return RPrincurve(np.array(losses), seconds)
