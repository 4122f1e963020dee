"""Algorithm 3: the sleeping leader, which changes its line only near the last point (the paper's ``slpc``)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.paper.actions import ActionClass
from slpc.paper.counting import TooManyToCountError
from slpc.paper.enumerated import Enumerated
from slpc.paper.partition import Local, local_part
from slpc.paper.penalties import Penalty, constants_of
from slpc.paper.rewards import RewardMode, Rewards
from slpc.paper.searched import Searched
from slpc.paper.starts import first_line
from slpc.polyline import Array, Polyline, as_points


class SleepingLeader:
    """The paper's Algorithm 3, on classes small enough to enumerate exactly, on others by local search.

    The first `warm_up` points give f₁, their first principal component. Then, in each round t, with
    probability ε all actions are awake (exploration), else only U(f_{t-1}), the lines that differ from
    f_{t-1} near x_{t-1} (exploitation). The leader of the awake actions is held: the largest estimated
    cumulative reward minus h(f)/η plus z_f/η, with fresh z_f of law Exp(1).

    Parameters
    ----------
    actions : ActionClass
        Enumerated where it is small enough (`ActionClass.enumerable`). Otherwise U is searched one vertex at a
        time and exploration takes the best of a pool of lines: heuristics, outside Theorem 3.
    horizon : int, optional
        Number of rounds T for which Theorem 3's tuning fills in whatever is not given below.
    eta, epsilon, alpha, beta : float, optional
        Learning rate η, probability of exploration ε, reward α of what was not seen, and the least
        probability β whose reward is divided by it.
    penalty : "paper", "tight", "chernoff" or a function of a Polyline
        `slpc.paper.penalties.Linear` is a fast one to scale by hand.
    rewards : "full", "ipw0" or "literal"
        What is learnt in a round of exploitation. ``"full"``: the reward of every action, for x_t is seen.
        ``"ipw0"``: that of the chosen action over its probability, and 0 for the others. ``"literal"``: the
        paper's, α for the others, under which being chosen is a handicap (see the errata).
    neighbourhood : "local" or "all"
        ``"all"``: U is the whole class; it must be enumerable.
    max_free : int or None
        Most vertices of f_{t-1} that a round may replace. 2 is what Theorem 3's proof assumes; None: the
        literal reading, all those in the local ball.
    warm_up : int
        The paper's t₀.
    max_local : int
        Where the class is searched: U is gone through completely up to this many lines.
    random_state : int, Generator or None
    loss_bound : float, optional
        Stands in for c₀; no loss may exceed it.

    """

    def __init__(
        self,
        actions: ActionClass,
        *,
        horizon: int | None = None,
        eta: float | None = None,
        epsilon: float | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        penalty: Penalty = "paper",
        rewards: RewardMode = "full",
        neighbourhood: Literal["local", "all"] = "local",
        max_free: int | None = 2,
        warm_up: int = 3,
        max_local: int = 2_000,
        random_state: int | np.random.Generator | None = None,
        loss_bound: float | None = None,
    ) -> None:
        if rewards not in get_args(RewardMode):
            raise ValueError(f"rewards must be one of {', '.join(get_args(RewardMode))}, got {rewards!r}")
        if neighbourhood not in ("local", "all"):
            raise ValueError(f'neighbourhood must be "local" or "all", got {neighbourhood!r}')
        if warm_up < 2:
            raise ValueError(f"warm_up must be at least 2 points, got {warm_up!r}")
        if max_free is not None and max_free < 1:
            raise ValueError(f"max_free must be at least 1 or None, got {max_free!r}")
        self.actions = actions
        self.constants = constants_of(actions, loss_bound)
        self.rewards = rewards
        self.neighbourhood = neighbourhood
        self.max_free = max_free
        self.warm_up = warm_up
        self.horizon = horizon
        self._random = np.random.default_rng(random_state)
        self.exact = actions.enumerable
        """Whether the class is enumerated (else searched)."""
        if neighbourhood == "all" and not self.exact:
            raise ValueError('neighbourhood="all" needs a class small enough to enumerate')

        board: Enumerated | Searched
        if self.exact:
            board = Enumerated(actions, penalty, self._random)
            self.H = board.H
        else:
            board = Searched(actions, penalty, self._random, max_local)
            self.H = self.constants.H
        self._board = board
        if horizon is not None:
            self._tune(horizon, eta, epsilon, alpha, beta)
        else:
            if eta is None or epsilon is None:
                raise ValueError("give eta and epsilon, or a horizon for Theorem 3's tuning")
            if rewards != "full" and beta is None:
                raise ValueError(f'rewards="{rewards}" needs beta (and alpha, c0 / beta by default) or a horizon')
            self.eta, self.epsilon = eta, epsilon
            self.beta = 0.0 if beta is None else beta
            self.alpha = (0.0 if beta is None else self.constants.c0 / beta) if alpha is None else alpha
        if not (0 < self.eta < np.inf and 0 <= self.epsilon <= 1):
            raise ValueError(
                f"eta must be positive and epsilon between 0 and 1, got eta={self.eta}, epsilon={self.epsilon}"
            )
        board.rewards = Rewards(rewards, self.eta, self.constants.c0, self.alpha, self.beta)

        self.n_seen = 0
        """Points seen, the warm-up among them."""
        self.rounds = 0
        """Rounds played, t: the points seen after the warm-up."""
        self.cumulative_loss = 0.0
        """What was paid in those rounds."""
        self.explored = False
        """I_t of the round whose line is held now."""
        self.largest_norm = 0.0
        self._seen = np.empty((max(64, warm_up), actions.lattice.dim))
        self._ready = False

    def _tune(self, T: int, eta: float | None, epsilon: float | None, alpha: float | None, beta: float | None) -> None:
        try:
            theorem = self.constants.theorem3(self.actions.count(), T, self.H)
        except TooManyToCountError as error:
            raise ValueError(f"Theorem 3's tuning needs |F_p|: {error}; give eta and epsilon instead") from None
        if epsilon is None and theorem.epsilon < 0:
            raise ValueError(
                f"Theorem 3's epsilon is {theorem.epsilon:.3g}: {T} rounds are too few for "
                f"{self.actions.count():,} actions (it asks for 2 |F_p|²); give epsilon"
            )
        self.eta = theorem.eta if eta is None else eta
        self.epsilon = theorem.epsilon if epsilon is None else epsilon
        self.beta = theorem.beta if beta is None else beta
        self.alpha = theorem.alpha if alpha is None else alpha

    # -- a round ------------------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether the warm-up is over, so that there is a line to predict with."""
        return self.n_seen >= self.warm_up

    def predict(self) -> Polyline:
        """f_t, the line held before the next point comes."""
        if not self.ready:
            raise ValueError(f"no line yet: {self.n_seen} of {self.warm_up} warm-up points seen")
        self._prepare()
        return self._board.line

    def observe(self, x: ArrayLike) -> float:
        """Take x_t: return the loss Δ(f_t, x_t), NaN during the warm-up, and learn from it."""
        point = as_points(x, self.actions.lattice.dim)
        if len(point) != 1:
            raise ValueError(f"observe takes one point, got {len(point)}")
        paid = float("nan")
        if self.ready:
            self._prepare()
            paid = self._board.learn(point, self.explored or self.rounds == 0)
            self.cumulative_loss += paid
            self.rounds += 1
            self._ready = False
        self.largest_norm = max(self.largest_norm, float(np.linalg.norm(point)))
        self._remember(point)
        return paid

    def _prepare(self) -> None:
        """Choose f_t, once a round."""
        if self._ready:
            return
        if self.rounds == 0:
            self._board.start(first_line(self.seen, self.actions.lattice, self.actions.longest))
        else:
            self.explored = bool(self._random.random() < self.epsilon)
            self._board.lead(None if self.explored else self.local())
        self._ready = True

    def local(self) -> Local | Literal["all"]:
        """The part of the line held last that an exploiting round may change (built from the last point)."""
        if self.neighbourhood == "all":
            return "all"
        return local_part(
            self._board.line,
            self.seen[-1],
            self.seen,
            self.actions.lattice,
            both_sides=self.actions.identify_reversals,
            max_free=self.max_free,
        )

    # -- what a researcher looks at -----------------------------------------------------------------------

    @property
    def seen(self) -> Array:
        """The points seen, the warm-up first (only the last one where U is the whole class)."""
        return self._seen[: min(self.n_seen, len(self._seen))]

    def _remember(self, point: Array) -> None:
        if self.neighbourhood == "all" and self.ready:
            self.n_seen += 1
            return
        if self.n_seen == len(self._seen):
            self._seen = np.concatenate([self._seen, np.empty_like(self._seen)])
        self._seen[self.n_seen] = point[0]
        self.n_seen += 1

    def awake(self) -> NDArray[np.int64]:
        """Numbers of the actions in U(f_{t-1}), awake in the next round if it exploits."""
        return self._enumerated().awake(self._next_local())

    def law(self) -> Array:
        """Probability of each action to be held in the next round, given that it exploits (P over U)."""
        return self._enumerated().law(self._next_local())

    def _next_local(self) -> Local | Literal["all"]:
        if self.rounds == 0 or self._ready:
            raise ValueError("the next round's line is fixed: ask after observe() and before predict()")
        return self.local()

    def _enumerated(self) -> Enumerated:
        if isinstance(self._board, Enumerated):
            return self._board
        raise ValueError("the class is searched, not enumerated: its actions have no numbers")
