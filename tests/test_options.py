"""The perturbed leader (`temperature`) and the lattice (`spacing`), as users of SLPC meet them."""

import copy
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone

from slpc import SLPC, Polyline, load, river
from slpc.kernels.lattice import Actions, bonus

BOTH = {"temperature": 2.0, "spacing": 0.04, "random_state": 3}
VARIANTS = [{"temperature": 2.0, "random_state": 3}, {"spacing": 0.04}, BOTH]


def sine(n, noise=0.03, seed=0):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 1, n)
    return np.column_stack([4 * t, np.sin(2 * np.pi * t)]) + noise * rng.standard_normal((n, 2))


T = np.linspace(0, 1, 2001)
SINE = Polyline(np.column_stack([4 * T, np.sin(2 * np.pi * T)]))


def excess(curve):
    """Loss over the truth's, on fresh points."""
    X = sine(4000, seed=99)
    return curve.squared_distances(X).mean() / SINE.squared_distances(X).mean()


def on_the_lattice(vertices, spacing):
    multiple = vertices / spacing
    return np.abs(multiple - np.round(multiple)).max() <= 1e-15 * np.abs(multiple).max() + 1e-12


# -- both ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", VARIANTS)
def test_the_same_twice_and_a_good_curve(parameters):
    X = sine(3000)
    model = SLPC(**parameters).fit(X)
    again = SLPC(**parameters).fit(X)
    assert model.curve_ == again.curve_
    np.testing.assert_array_equal(model.losses_, again.losses_)
    assert model.curve_ != SLPC().fit(X).curve_
    assert excess(model.curve_) < 1.15


@settings(max_examples=20)
@given(
    st.lists(st.integers(1, 300), min_size=1, max_size=6),
    st.sampled_from([None, 300.0]),
    st.integers(0, 50),
    st.sampled_from(VARIANTS),
)
def test_any_split_gives_the_same_curve(sizes, half_life, seed, parameters):
    X = sine(sum(sizes), seed=seed)
    whole = SLPC(half_life=half_life, memory=64, **parameters).partial_fit(X)
    parts = SLPC(half_life=half_life, memory=64, **parameters)
    losses = [parts.partial_fit(part).losses_ for part in np.split(X, np.cumsum(sizes)[:-1])]
    assert parts.curve_ == whole.curve_
    assert parts.forecast_curve_ == whole.forecast_curve_
    assert np.array_equal(np.concatenate(losses), whole.losses_, equal_nan=True)


@pytest.mark.parametrize("parameters", VARIANTS)
@pytest.mark.parametrize("n", [2, 400])
def test_saving_goes_on_bit_for_bit(parameters, n, tmp_path):
    X = sine(1500)
    model = SLPC(**parameters).partial_fit(X[:n])
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.get_params() == model.get_params()
    assert loaded.curve_ == model.curve_
    copied = copy.deepcopy(model)
    for later in (loaded, copied, model):
        later.partial_fit(X[n:])
    assert loaded.curve_ == copied.curve_ == model.curve_
    np.testing.assert_array_equal(loaded.losses_, model.losses_)


@settings(max_examples=20)
@given(st.integers(-300, 300), st.integers(0, 20), st.sampled_from(VARIANTS))
def test_scaling_by_powers_of_two_is_exact(power, seed, parameters):
    X = sine(300, seed=seed)
    scaled = dict(parameters)
    if "spacing" in scaled:
        scaled["spacing"] = float(np.ldexp(scaled["spacing"], power))
    plain, other = SLPC(**parameters).fit(X), SLPC(**scaled).fit(np.ldexp(X, power))
    assert np.array_equal(np.ldexp(plain.vertices_, power), other.vertices_)
    assert np.array_equal(np.ldexp(plain.losses_, 2 * power), other.losses_, equal_nan=True)


@pytest.mark.parametrize("parameters", VARIANTS)
@pytest.mark.parametrize("lookahead", [True, False])
def test_losses_are_those_of_the_curve_held_before(parameters, lookahead):
    model = SLPC(lookahead=lookahead, **parameters)
    for i, x in enumerate(sine(200)):
        expected = model.forecast_curve_.squared_distances(x)[0] if i >= 3 else np.nan
        if not lookahead and i >= 3:
            assert model.forecast_curve_ == model.curve_
        model.partial_fit(x)
        np.testing.assert_allclose(model.losses_[0], expected, rtol=1e-6, atol=1e-12)


def test_they_are_parameters_like_the_others():
    model = SLPC(**BOTH)
    assert model.get_params()["temperature"] == 2.0
    assert clone(model).get_params() == model.get_params()
    X = sine(600)
    assert clone(model).fit(X).curve_ == model.fit(X).curve_
    plain, told = SLPC().fit(X), SLPC(temperature=0.0, spacing=None).fit(X)
    assert plain.curve_ == told.curve_
    assert np.array_equal(plain.losses_, told.losses_, equal_nan=True)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"temperature": -1.0}, "temperature must be a number of at least 0, got -1.0"),
        ({"temperature": np.nan}, "temperature must be a number of at least 0, got nan"),
        ({"temperature": np.inf}, "temperature must be a number of at least 0, got inf"),
        ({"spacing": 0.0}, "spacing must be a number from 1e-145 to 1e150, or None, got 0.0"),
        ({"spacing": -1.0}, "spacing must be a number from 1e-145"),
        ({"spacing": np.nan}, "spacing must be a number from 1e-145"),
        ({"spacing": np.inf}, "spacing must be a number from 1e-145"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        SLPC(**parameters).fit(sine(10))
    with pytest.raises(ValueError, match=message):
        river.SLPC(**parameters)


def test_for_river():
    X = sine(300)
    mine, theirs = SLPC(**BOTH), river.SLPC(seed=3, temperature=2.0, spacing=0.04)
    for x in X:
        theirs.learn_one({"x": float(x[0]), "y": float(x[1])})
    assert theirs.curve == mine.fit(X).curve_
    assert theirs.clone()._settings == theirs._settings
    with pytest.raises(TypeError):
        river.SLPC(64, 512, None, True, 1.0, 1.0, None, 3, 0, 2.0)


# -- temperature --------------------------------------------------------------------------------------------------


def test_perturbations_are_exponential():
    """z_f of lines that share most of their vertices: law Exp(1), and neighbours are not alike."""
    rng = np.random.default_rng(0)
    line = np.cumsum(rng.integers(1, 4, size=(9, 2)), axis=0).astype(float)
    z = []
    for seed in range(4):
        actions = Actions(1.0, 1.0, np.zeros(2), 0.5, seed)
        for i in range(30):
            for j in range(30):
                line[4] = [i - 15, j - 15]
                z.append(bonus(np.uint64(0), line, 8, actions))
    z = np.array(z)
    assert z.mean() == pytest.approx(1.0, abs=4 / np.sqrt(len(z)))
    assert stats.kstest(z, "expon").pvalue > 1e-3
    assert abs(np.corrcoef(z[:-1], z[1:])[0, 1]) < 4 / np.sqrt(len(z))


def test_a_line_has_one_perturbation_however_it_is_met():
    actions = Actions(0.0, 0.125, np.zeros(2), 1.0, 7)
    line = SINE.resample(10).vertices
    z = bonus(np.uint64(0), line, 9, actions)
    nearest = np.round(line / 0.125) * 0.125
    assert bonus(np.uint64(0), nearest, 9, actions) == z  # refits within a cell of the grid do not draw anew
    assert bonus(np.uint64(0), line[::-1].copy(), 9, actions) == z
    assert bonus(np.uint64(0), line, 9, actions._replace(seed=8)) != z
    other = line.copy()
    other[3] += 0.2
    assert bonus(np.uint64(0), other, 9, actions) != z


def test_the_hotter_the_more_it_strays():
    """Each model's loss over the greedy one's: little at temperature 1, more when the bonus outweighs the data."""
    X = sine(400)
    cold, warm, hot = (
        np.mean([excess(SLPC(temperature=T, random_state=seed).fit(X).curve_) for seed in range(6)])
        for T in (0.0, 1.0, 100.0)
    )
    assert warm < 1.1 * cold
    assert hot > 1.1 * cold


def test_the_seed_matters_only_when_it_is_warm():
    X = sine(1000)
    assert SLPC(random_state=1).fit(X).curve_ == SLPC(random_state=2).fit(X).curve_
    assert len({SLPC(temperature=4.0, random_state=seed).fit(X).curve_.length for seed in range(6)}) > 1


def test_the_leader_settles():
    """Perturbations belong to actions, not to times: a stationary stream does not keep the curve moving."""
    model = SLPC(temperature=2.0, random_state=0).fit(sine(20_000))
    lines = []
    for seed in range(1, 11):
        model.partial_fit(sine(2000, seed=seed))
        lines.append(model.curve_)
    for a, b in itertools.pairwise(lines):
        assert np.sqrt(b.squared_distances(a.resample(200).vertices)).mean() < 0.15 * 0.03


def test_temperature_may_change_at_any_time():
    X = sine(2000)
    model = SLPC().partial_fit(X[:1000])
    model.set_params(temperature=2.0).partial_fit(X[1000:])
    assert excess(model.curve_) < 1.1
    assert model.curve_ != SLPC().fit(X).curve_


# -- spacing ------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    st.integers(0, 30),
    st.sampled_from([1, 2, 3, 5]),
    st.floats(1e-3, 30.0),
    st.sampled_from([0.0, 1000.0, -12.34]),
    st.sampled_from([None, 60.0]),
    st.sampled_from([0.0, 1.0]),
)
def test_vertices_lie_on_the_lattice_at_all_times(seed, d, spacing, offset, half_life, temperature):
    X = np.resize(sine(240, seed=seed).T, (d, 240)).T.copy() + offset
    X[:, 2:] *= 0.3
    model = SLPC(spacing=spacing, half_life=half_life, temperature=temperature, memory=32)
    for part in np.split(X, [1, 2, 3, 4, 7, 20, 60, 61, 150]):
        model.partial_fit(part)
        assert on_the_lattice(model.vertices_, spacing)
        assert (np.abs(np.diff(model.vertices_, axis=0)).max(axis=1) > 0.5 * spacing).all()
        assert np.isfinite(model.forecast_curve_.vertices).all()
        assert model.n_samples_seen_ <= 3 or np.isfinite(model.losses_).all()


@pytest.mark.parametrize(("spacing", "most"), [(0.015, 1.05), (0.03, 1.07), (0.06, 1.12)])
def test_a_spacing_like_the_noise_costs_little(spacing, most):
    """Half of σ, σ and 2σ; where the lattice happens to lie makes some hundredths, hence the mean."""
    assert np.mean([excess(SLPC(spacing=spacing).fit(sine(5000, seed=s)).curve_) for s in range(5)]) < most


@pytest.mark.parametrize("spacing", [10.0, 1e6, 1e100, 1e150])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_a_lattice_far_coarser_than_the_data(spacing, offset):
    """One segment of one step, next to the data; and learning goes on."""
    model = SLPC(spacing=spacing).fit(sine(300) + offset)
    assert model.n_segments_ == 1
    step = np.sort(np.abs(np.diff(model.vertices_, axis=0))[0])
    np.testing.assert_allclose(step, [0, spacing])
    assert on_the_lattice(model.vertices_, spacing)
    assert np.abs(model.vertices_ - offset).min(axis=0).max() <= 0.6 * spacing + 4
    if spacing == 10.0:
        model.partial_fit(100 * sine(3000))
        assert excess(Polyline(model.vertices_ / 100)) < 10


def test_a_lattice_far_finer_than_the_data():
    X = sine(500)
    np.testing.assert_allclose(SLPC(spacing=1e-13).fit(X).vertices_, SLPC().fit(X).vertices_, atol=1e-6)
    assert np.isfinite(SLPC(spacing=1e-145).fit(1e150 / 5 * X).vertices_).all()


@pytest.mark.parametrize("value", [0.0, 3.7, -1e100])
@pytest.mark.parametrize("spacing", [0.1, 1e-145, 1e150])
def test_a_constant_stream(value, spacing):
    model = SLPC(spacing=spacing).fit(np.full((100, 2), value))
    assert model.n_segments_ == 1
    if abs(value) < 1e12 * spacing:
        assert on_the_lattice(model.vertices_, spacing)
    model.partial_fit(np.full((100, 2), value) + np.array([1.0, 0.0]))
    assert np.isfinite(model.vertices_).all()


def test_a_warm_start_on_a_lattice():
    curve = SINE.resample(12)
    model = SLPC.from_curve(curve, noise=0.03, spacing=0.05, temperature=1.0)
    np.testing.assert_allclose(model.vertices_[1:-1], np.round(curve.vertices[1:-1] / 0.05) * 0.05, atol=1e-9)
    assert on_the_lattice(model.vertices_, 0.05)
    model.partial_fit(sine(1000))
    assert on_the_lattice(model.vertices_, 0.05)
    with pytest.raises(
        ValueError, match=r"vertices \d+ and \d+ of the curve fall on one point of the lattice: spacing 1.0"
    ):
        SLPC.from_curve(curve, spacing=1.0)


def test_merging_keeps_the_lattice_of_the_first():
    left, right = SLPC(spacing=0.05).fit(sine(400)), SLPC(spacing=0.03).fit(sine(400, seed=1) + np.array([3, 0]))
    early = SLPC(spacing=0.07, temperature=1.0).fit(sine(2))
    coarse = SLPC(spacing=1.0).fit(sine(50))
    for first, second in ((left, right), (right, left), (left, early), (early, left), (coarse, left)):
        merged = first.merge(second)
        assert on_the_lattice(merged.vertices_, first.spacing)
        assert merged.spacing == first.spacing
        merged.partial_fit(sine(100, seed=2))
        assert on_the_lattice(merged.vertices_, first.spacing)


def test_spacing_may_change_at_any_time():
    X = sine(600)
    model = SLPC().fit(X)
    for spacing in (0.03, 0.5, 30.0, 0.03):
        model.set_params(spacing=spacing).partial_fit(X[:1])
        assert on_the_lattice(model.vertices_, spacing)
        model.partial_fit(X)
        assert on_the_lattice(model.vertices_, spacing)
    assert excess(model.partial_fit(sine(8000, seed=1)).curve_) < 1.15
    before = model.learner_.state.copy()
    with pytest.raises(ValueError, match=r"spacing 1e\+100 is too coarse for what has been learnt"):
        model.set_params(spacing=1e100).partial_fit(X)
    for name, array in before.arrays().items():
        assert np.array_equal(array, getattr(model.learner_.state, name)), name
    model.set_params(spacing=None).partial_fit(X)
    assert excess(model.curve_) < 1.1
