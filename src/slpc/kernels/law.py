"""The exact law of the perturbed leader: which action has the largest u_f + z_f, with z_f iid Exp(1)."""

import numpy as np

from slpc.kernels._jit import Floats, kernel

_SMALL = 1e-3  # below, log(1 - wq) is summed by its power series, whose sixth term is under 1e-15 of the first
_FOLD = 1e-150  # products of factors are folded into a logarithm before they underflow


@kernel
def leader_law(excess: Floats, nodes: Floats, node_weights: Floats, law: Floats) -> Floats:
    """Fill `law` with the probability of each action to lead; return it.

    `excess` is u - max(u), never positive. With w = exp(excess), P_f is the integral over tau of
    exp(-tau) ρ_f(q(tau)), where -Σ log(1 - w q) = tau and ρ_f is w_f / (1 - w_f q), normalised; `nodes` and
    `node_weights` are the Gauss-Laguerre rule for it. All terms are positive and sum to 1: nothing cancels.
    """
    n = excess.size
    n_large = 0
    for i in range(n):
        law[i] = 0.0
        if np.exp(excess[i]) > _SMALL:
            n_large += 1
    large_w = np.empty(n_large)
    large_rest = np.empty(n_large)
    weights = np.empty(n)
    rests = np.empty(n)  # 1 - w, without cancellation
    m1 = m2 = m3 = m4 = m5 = 0.0
    j = 0
    for i in range(n):
        w = np.exp(excess[i])
        weights[i] = w
        rests[i] = -np.expm1(excess[i])
        if w > _SMALL:
            large_w[j] = w
            large_rest[j] = rests[i]
            j += 1
        else:
            m1 += w
            m2 += w * w
            m3 += w**3
            m4 += w**4
            m5 += w**5
    mass = m1 + large_w.sum()
    y = 0.0
    for node in range(nodes.size):
        tau = nodes[node]
        # Newton from the left in y = -log(1 - q): the sum is concave in y, so no step passes the root.
        y = max(y, tau / mass)
        slope = 1.0
        for _ in range(200):
            left = np.exp(-y)  # 1 - q
            q = -np.expm1(-y)
            value = q * (m1 + q * (m2 / 2 + q * (m3 / 3 + q * (m4 / 4 + q * m5 / 5))))
            slope = m1 + q * (m2 + q * (m3 + q * (m4 + q * m5)))
            product = 1.0
            for i in range(n_large):
                factor = large_rest[i] + large_w[i] * left
                slope += large_w[i] / factor
                product *= factor
                if product < _FOLD:
                    value -= np.log(product)
                    product = 1.0
            value -= np.log(product)
            move = (tau - value) / (slope * left)
            y += move
            if move <= 1e-14 * y:
                break
        left = np.exp(-y)
        # 1 - w q once more for every action, normalised by the slope that belongs to this y.
        total = 0.0
        for i in range(n):
            total += weights[i] / (rests[i] + weights[i] * left)
        share = node_weights[node] / total
        for i in range(n):
            law[i] += share * weights[i] / (rests[i] + weights[i] * left)
    return law
