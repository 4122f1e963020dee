"""Time of the action-class kernels: 3.4 million actions, and the law of a leader among a million."""

import time

import numpy as np

from slpc.paper import ActionClass, Lattice, PerturbedLeader, law_of_leader


def best_of(repeats, work):
    """Least wall time of several runs, in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def main():
    random = np.random.default_rng(0)
    X = iter(random.uniform(-1, 1, (1000, 2)))
    lattice = Lattice(radius=1, spacing=0.33, dim=2)
    ActionClass(lattice, p=1, L=1).losses([0, 0])  # compile
    actions = ActionClass(lattice, p=3, L=4)
    print(f"{actions.count():,} actions, p = 3, on {len(lattice)} lattice points")
    start = time.perf_counter()
    len(actions)
    print(f"enumeration                     {1e3 * (time.perf_counter() - start):8.1f} ms")
    losses = np.empty(len(actions))
    actions.losses(next(X), out=losses)
    touch = best_of(5, lambda: losses.sum())
    print(f"losses of all for one x         {best_of(10, lambda: actions.losses(next(X), out=losses)):8.1f} ms")
    forecaster = PerturbedLeader(actions, eta=0.05, random_state=0)

    def round_():
        forecaster.observe(next(X))
        return forecaster.leader

    round_()
    print(f"a round: losses, update, leader {best_of(10, round_):8.1f} ms")
    print(f"(one pass over an array of them {touch:8.1f} ms)")
    per_action = (sum(rows.nbytes for rows in actions.blocks) + 6 * losses.nbytes) / len(actions)
    print(f"memory                          {per_action:8.1f} bytes an action")
    for name, u in {"spread": -random.exponential(30.0, 10**6), "equal": np.zeros(10**6)}.items():
        print(f"law of 10^6 actions, {name:6}     {best_of(3, lambda u=u: law_of_leader(u)):8.1f} ms")


if __name__ == "__main__":
    main()
