"""The kernels of the batch methods against their literal twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slpc.kernels import lowess, polygon, sections, spline

import reference_batch as slow
from strategies import lines_and_points


def bands(matrix):
    return np.array([[matrix[i, i + m] if i + m < len(matrix) else 0.0 for m in range(4)] for i in range(len(matrix))])


def full(band):
    n = len(band)
    matrix = np.zeros((n, n))
    for i in range(n):
        for m in range(min(4, n - i)):
            matrix[i, i + m] = matrix[i + m, i] = band[i, m]
    return matrix


@pytest.fixture(params=[2, 3, 7])
def knots(request):
    inner = np.sort(np.random.default_rng(request.param).uniform(size=request.param - 2))
    return np.concatenate([np.zeros(4), inner, np.ones(4)])


def test_b_splines(knots):
    x = np.array([0.0, 0.1, knots[4], 0.5, 0.99, 1.0])
    first, values = np.empty(len(x), np.int64), np.zeros((len(x), 4))
    spline.basis(x, knots, first, values)
    expected = slow.design(x, knots)
    for i in range(len(x)):
        np.testing.assert_allclose(values[i], expected[i, first[i] : first[i] + 4], atol=1e-14)
        assert values[i].sum() == pytest.approx(1.0)


def test_roughness(knots):
    band = np.empty((len(knots) - 4, 4))
    spline.roughness(knots, band)
    expected = slow.roughness(knots)
    # The twin takes the values at the right end of an interval a billionth before it.
    np.testing.assert_allclose(full(band), expected, atol=1e-7 * np.abs(expected).max())
    # A parabola's second derivative is 2 everywhere: its coefficients are blossoms, t_i t_j in the mean over pairs.
    t = np.array([knots[i + 1 : i + 4] for i in range(len(knots) - 4)])
    parabola = (t[:, 0] * t[:, 1] + t[:, 0] * t[:, 2] + t[:, 1] * t[:, 2]) / 3
    assert parabola @ full(band) @ parabola == pytest.approx(4.0)


def test_banded_algebra():
    rng = np.random.default_rng(0)
    root = np.triu(np.tril(rng.normal(size=(9, 9)), 3)) + 3 * np.eye(9)
    matrix = root.T @ root
    other = np.tril(np.triu(matrix + np.diag(rng.uniform(size=9)), -3), 3)
    factor = bands(matrix)
    spline.factorise(factor)
    right = rng.normal(size=(9, 2))
    solution = right.copy()
    spline.solve(factor, solution)
    np.testing.assert_allclose(matrix @ solution, right, atol=1e-12)
    assert spline.trace_of_product(factor, bands(other)) == pytest.approx(np.trace(np.linalg.solve(matrix, other)))


def test_a_spline_has_the_degrees_of_freedom_asked_for():
    rng = np.random.default_rng(1)
    x = np.concatenate([[0.0, 1.0], rng.uniform(size=18)])
    x.sort()
    weight, Y = rng.uniform(0.5, 2, 20), rng.normal(size=(20, 2))
    knots = np.concatenate([np.zeros(3), x, np.ones(3)])
    coefficients, out = np.empty((22, 2)), np.empty((20, 2))
    ridge = spline.fit(x, Y, weight, knots, 6.0, coefficients)
    spline.evaluate(x, knots, coefficients, out)
    X = slow.design(x, knots)
    normal = X.T @ (weight[:, None] * X) + ridge * slow.roughness(knots)
    smoother = X @ np.linalg.solve(normal, (weight[:, None] * X).T)
    np.testing.assert_allclose(out, smoother @ Y, atol=1e-6)
    # Within what a search to 1e-4 in spar leaves.
    assert np.trace(smoother) == pytest.approx(6.0, abs=2e-3)


@pytest.mark.parametrize("rounds", [0, 3])
def test_lowess(rounds):
    rng = np.random.default_rng(2)
    x = np.sort(rng.uniform(size=40))
    Y = np.column_stack([np.sin(6 * x), x**2]) + 0.1 * rng.standard_normal((40, 2))
    Y[7] += 3.0
    out = np.empty_like(Y)
    lowess.lowess(x, Y, 15, rounds, 0.0, out)
    for j in range(2):
        # The kernel takes a weight for 1 or 0 within a thousandth of the ends of its range.
        np.testing.assert_allclose(out[:, j], slow.lowess(x, Y[:, j], 15, rounds), atol=1e-4)


@given(lines_and_points(), st.integers(0, 60))
def test_projection_on_long_lines(line_and_points, repeats):
    line, X = line_and_points
    # Long enough for several boxes, with segments of no length, and each place passed more than once.
    line = np.concatenate([line, np.repeat(line[-1:], repeats, axis=0), line[::-1]])
    carrier, tau, dist2 = np.empty(len(X), np.int64), np.empty(len(X)), np.empty(len(X))
    sections.project_on_long(line, X, carrier, tau, dist2)
    for i, x in enumerate(X):
        expected, _, _ = slow.first_nearest(line, x)
        assert dist2[i] == pytest.approx(expected, abs=1e-12)
        foot = line[carrier[i]] + tau[i] * (line[carrier[i] + 1] - line[carrier[i]])
        assert float((x - foot) @ (x - foot)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_terms_around_a_vertex_and_their_derivative(k):
    rng = np.random.default_rng(k)
    line, X, w = rng.normal(size=(k + 1, 3)), rng.normal(size=(50, 3)), rng.uniform(0.5, 2, 50)
    codes = rng.integers(0, 2 * k + 1, 50)
    mass, mean, scatter = np.empty(2 * k + 1), np.empty((2 * k + 1, 3)), np.empty((2 * k + 1, 3, 3))
    polygon.summarise(X, w, codes, mass, mean, scatter)

    def difference(v, step):
        """What the whole of G changes by when the vertex moves."""
        moved = line.copy()
        moved[v] += step
        return slow.penalised(moved, X, w, codes, 0.2, 1.7) - slow.penalised(line, X, w, codes, 0.2, 1.7)

    for v in range(k + 1):
        slope, ignored = np.empty(3), np.empty(3)
        here = polygon.around(line, v, mass, mean, scatter, 1 / w.sum(), 0.2, 1.7**2, slope)
        step = rng.normal(size=3) * 0.3
        moved = line.copy()
        moved[v] += step
        there = polygon.around(moved, v, mass, mean, scatter, 1 / w.sum(), 0.2, 1.7**2, ignored)
        assert there - here == pytest.approx(difference(v, step), rel=1e-9)
        for j in range(3):
            tiny = 1e-6 * np.eye(3)[j]
            assert slope[j] == pytest.approx((difference(v, tiny) - difference(v, -tiny)) / 2e-6, rel=1e-5, abs=1e-7)


def test_vertex_optimisation_lowers_g_to_a_stationary_point():
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.uniform(-1, 1, 80), rng.normal(size=80) * 0.1])
    line = np.array([[-1.0, 0.3], [0.0, -0.4], [1.0, 0.2]])
    # Without points of their own the end vertices would draw together for ever.
    codes = np.searchsorted([-0.8, 0.0, 0.0, 0.8], X[:, 0])
    w = np.ones(80)
    mass, mean, scatter = np.empty(5), np.empty((5, 2)), np.empty((5, 2, 2))
    polygon.summarise(X, w, codes, mass, mean, scatter)
    before = slow.penalised(line, X, w, codes, 0.01, 1.0)

    def steepest():
        slopes = np.empty((3, 2))
        for v in range(3):
            polygon.around(line, v, mass, mean, scatter, 1 / 80, 0.01, 1.0, slopes[v])
        return np.abs(slopes).max()

    at_first = steepest()
    polygon.optimise(line, mass, mean, scatter, 0.01, 1.0, 3000, 0.0)
    assert slow.penalised(line, X, w, codes, 0.01, 1.0) < 0.5 * before
    assert steepest() < 1e-5 * at_first
