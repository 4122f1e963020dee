"""Expected losses of the paper's algorithms beside every bound it claims for them.

`python -m slpc.experiments.bounds` prints two tables and writes them as CSV. Algorithms 1 and 2: the exact
expected loss, the mean over seeds, and the bounds as stated and as corrected. Algorithm 3: the regret a round of
its three reward modes on a class of four actions, as the number of rounds grows.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from slpc.data import corner, parabola, ray
from slpc.paper import ActionClass, Lattice, PerturbedLeader, SleepingLeader, bounds
from slpc.paper.penalties import Penalty
from slpc.paper.rewards import RewardMode
from slpc.polyline import Array

Row = dict[str, str | float]


@dataclass(frozen=True)
class Setting:
    """A stream and a class of actions; d = 2 and R = 1 throughout."""

    stream: str
    delta: float
    p: int
    L: float
    T: int
    runs: tuple[tuple[int, str], ...]
    """(algorithm, penalty) of each run."""
    seeds: bool = True
    """Whether to average over seeds as well."""

    def points(self) -> Array:
        """The stream, the same in every run."""
        if self.stream == "corner":
            return corner(self.T, random_state=0)
        return parabola(self.T, order="sorted" if self.stream == "sorted" else "random", random_state=0)

    def actions(self) -> ActionClass:
        """The class of actions."""
        return ActionClass(Lattice(radius=1, spacing=self.delta, dim=2), p=self.p, L=self.L)


_ALL = ((1, "paper"), (1, "tight"), (1, "none"), (2, "paper"), (2, "tight"))
SETTINGS = (
    Setting("parabola", 1.0, 3, 3.0, 100, _ALL),
    Setting("parabola", 0.7, 3, 3.0, 200, _ALL),
    Setting("sorted", 0.7, 3, 3.0, 200, _ALL),
    Setting("parabola", 0.5, 2, 3.0, 200, _ALL),
    Setting("corner", 1.0, 3, 3.0, 100, _ALL),
    # Long enough for Corollary 1's rate to fall below 1 / c0.
    Setting("parabola", 1.0, 3, 3.0, 3000, ((1, "tight"), (2, "tight")), seeds=False),
    Setting("parabola", 1.0, 3, 3.0, 7000, ((1, "paper"), (2, "paper")), seeds=False),
)
_ROUNDING = 1e-9


def no_penalty(_: object) -> float:
    """Nothing, h = 0, whatever the action."""
    return 0.0


def run(setting: Setting, algorithm: int, penalty_name: str, n_seeds: int) -> Row:
    """One row of the first table."""
    actions, X = setting.actions(), setting.points()
    penalty: Penalty = no_penalty if penalty_name == "none" else penalty_name
    best = float(np.sum([actions.losses(x) for x in X], axis=0).min())
    eta: float | str = "adaptive"
    if algorithm == 1:
        trial = PerturbedLeader(actions, eta=1.0, penalty=penalty, random_state=0)
        # Without a penalty the tuned rate would be 0: the clipped one stands.
        eta = trial.constants.eta_corollary1(best, trial.H) if trial.H else 1 / trial.constants.c0
    forecaster = PerturbedLeader(actions, eta=eta, penalty=penalty, random_state=0)  # type: ignore[arg-type]
    expected = 0.0
    for x in X:
        expected += forecaster.expected_loss(x)
        forecaster.observe(x)
    row: Row = {
        "stream": setting.stream, "delta": setting.delta, "p": setting.p, "L": setting.L, "N": len(actions),
        "T": setting.T, "algorithm": algorithm, "penalty": penalty_name,
        "eta c0": eta * forecaster.constants.c0 if isinstance(eta, float) else math.nan,
        "best": best, "expected": expected,
        "mean": math.nan, "se": math.nan, "theorem1 stated": math.nan, "theorem1": math.nan,
        "corollary1 stated": math.nan, "corollary1": math.nan, "theorem2": math.nan,
        "c0 T": bounds.trivial(forecaster),
    }  # fmt: skip
    if setting.seeds and n_seeds > 1:
        paid = [_paid(actions, X, eta, penalty, seed) for seed in range(1, n_seeds + 1)]
        row |= {"mean": float(np.mean(paid)), "se": float(np.std(paid, ddof=1) / math.sqrt(n_seeds))}
    claims: dict[str, Callable[[], bounds.Bound]] = {
        "theorem1 stated": lambda: bounds.theorem1(forecaster, corrected=False),
        "theorem1": lambda: bounds.theorem1(forecaster),
        "corollary1 stated": lambda: bounds.corollary1(forecaster, corrected=False),
        "corollary1": lambda: bounds.corollary1(forecaster),
    }
    if algorithm == 2:
        claims = {"theorem2": lambda: bounds.theorem2(forecaster)}
    found = {name: claim() for name, claim in claims.items()}
    row |= {name: bound.value if bound.applies else math.nan for name, bound in found.items()}
    violated = [name for name, bound in found.items() if bound.applies and expected > bound.value * (1 + _ROUNDING)]
    row["violated"] = ", ".join(violated)
    return row


def _paid(actions: ActionClass, X: Array, eta: float | str, penalty: Penalty, seed: int) -> float:
    forecaster = PerturbedLeader(actions, eta=eta, penalty=penalty, random_state=seed)  # type: ignore[arg-type]
    for x in X:
        forecaster.observe(x)
    return forecaster.cumulative_loss


def four_actions() -> ActionClass:
    """Four segments from the origin: the smallest class that Theorem 3's p > 6 and Lemma 4's |U| >= 2 allow."""
    return ActionClass(Lattice(radius=1, spacing=1.4142, dim=2), p=7, L=1.4143)


def regret(mode: RewardMode, T: int, random_state: int = 0) -> Row:
    """One row of the second table: Algorithm 3 with U = F_p and Theorem 3's tuning."""
    actions = four_actions()
    warm_up = 3
    X = ray(T + warm_up, random_state=random_state)
    losses = np.stack([actions.losses(x) for x in X])
    leader = SleepingLeader(
        actions, horizon=T, warm_up=warm_up, neighbourhood="all", rewards=mode,
        loss_bound=float(losses.max()), random_state=random_state,
    )  # fmt: skip
    for x in X:
        leader.observe(x)
    totals = losses[warm_up:].sum(axis=0)
    best = float(totals.min())
    return {
        "rewards": mode,
        "T": T,
        "regret / T": (leader.cumulative_loss - best) / T,
        "uniform play": (float(totals.mean()) - best) / T,
        "theorem3 / T": bounds.theorem3(leader, best, awake_total=len(actions) * T).value / T,
        "c0": leader.constants.c0,
    }


def first_table(n_seeds: int, progress: Progress) -> list[Row]:
    """Algorithms 1 and 2 against their bounds."""
    jobs = [(setting, *which) for setting in SETTINGS for which in setting.runs]
    return [run(*job, n_seeds) for job in progress.track(jobs, description="Algorithms 1 and 2")]


def second_table(longest: int, progress: Progress) -> list[Row]:
    """Algorithm 3's three reward modes."""
    horizons = [T for T in (1_000, 10_000, 100_000, 1_000_000) if longest >= T]
    modes: list[RewardMode] = ["literal", "ipw0", "full"]
    jobs = [(mode, T) for mode in modes for T in horizons]
    return [regret(mode, T) for mode, T in progress.track(jobs, description="Algorithm 3")]


def show(title: str, rows: list[Row], console: Console) -> None:
    """Print a table, leaving out what does not apply."""
    table = Table(title=title, title_justify="left")
    for name in rows[0]:
        table.add_column(name, justify="left" if isinstance(rows[0][name], str) else "right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    console.print(table)


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "-"
    if isinstance(value, int):
        return f"{value}"
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def write(rows: list[Row], path: Path) -> None:
    """Write a table as CSV, with all its digits."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@click.command()
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("bounds"), show_default=True,
              help="Folder for the CSV files.")  # fmt: skip
@click.option("--seeds", default=200, show_default=True, help="Seeds to average over, beside the exact expectation.")
@click.option("--longest", default=1_000_000, show_default=True, help="Most rounds of Algorithm 3.")
@click.option("--quick", is_flag=True, help="20 seeds and 10,000 rounds.")
def main(out: Path, seeds: int, longest: int, quick: bool) -> None:
    """Compare what Algorithms 1, 2 and 3 lose with the paper's bounds."""
    console = Console(width=200)
    if quick:
        seeds, longest = 20, 10_000
    out.mkdir(parents=True, exist_ok=True)
    with Progress(console=console) as progress:
        first = first_table(seeds, progress)
        second = second_table(longest, progress)
    write(first, out / "algorithms_1_and_2.csv")
    write(second, out / "algorithm_3.csv")
    show("Algorithms 1 and 2: expected cumulative loss and bounds", first, console)
    show("Algorithm 3 on four actions: regret a round", second, console)
    console.print(f"wrote {out / 'algorithms_1_and_2.csv'} and {out / 'algorithm_3.csv'}")
    violated = [row for row in first if row["violated"]]
    if violated:
        raise click.ClickException(f"{len(violated)} of {len(first)} runs violate a bound: see the column 'violated'")
    console.print(f"No bound is violated in any of the {len(first)} runs.")


if __name__ == "__main__":
    main()
