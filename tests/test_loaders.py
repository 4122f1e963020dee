"""Readers of real data: tiny samples made here in every format, and the real files where they are."""

import os
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slpc import data

REAL = Path(os.environ.get("SLPC_DATA") or Path(__file__).parents[2] / "shared" / "data")


def centennial(year=2007, month=9, day=30, hour=5, minute=23, second=34.05, lat=-40.25, lon=150.5, magnitude=7.4):
    """A row of the Centennial catalogue."""
    time = f"{year:4d}{month:3d}{day:3d}{hour:4d}{minute:3d}{second:6.2f}"
    return f" MADE  UP   {time} {lat:8.3f}{lon:8.3f}{10.0:6.1f}   0 123 {magnitude:3.1f} Mw UP    0.0          0.0"


COMCAT = """time,latitude,longitude,depth,mag,magType,id,place,type
2011-03-10T01:02:03.450Z,38.5,142.25,29,9.1,mww,made1,"a place, with a comma",earthquake
1905-04-03T01:49:00.000+01:00,-33.0,-179.5,,7.9,mw,made2,"sea, they say",earthquake
1906-01-01T00:00:00.000Z,10.0,179.5,5,,,made3,sea,earthquake
"""
COMMUTE = """ 4130.2500 | 08745.5000 | 17:05:09 | 220.125000 | 350.500000 \r
 4115.7500 | 08800.3000 | -5:20:30 | 200.250000 | 340.750000 \r
"""
BUS = """timestamp,trip_id,lon,lat,bearing
2026-02-03 10:00:12,A7,-2.95,53.45,58.0
2026-02-03 10:00:19,B2,-2.94,53.46,
2026-02-03 10:00:33,A7,-2.9,53.47,38.0
"""
GPX = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
 <metadata><time>2020-01-01T00:00:00Z</time></metadata>
 <wpt lat="1" lon="2"/>
 <trk><name>a &amp; b</name>
  <trkseg>
   <trkpt lat="48.85" lon="2.35"><ele>35</ele><time>2020-06-01T12:00:00+02:00</time></trkpt>
   <trkpt lat="48.86" lon="2.36"><extensions><time>never</time></extensions></trkpt>
  </trkseg>
  <trkseg><trkpt lat="48.87" lon="2.37"/></trkseg>
 </trk>
 <rte><rtept lat="-1.5" lon="-179.5"/></rte>
</gpx>
"""
PLATES = """segment,part,name,type,k,lon,lat
0,0,AF-AN,,0,-0.5,-54.75
0,0,AF-AN,,1,-0.125,-54.5
0,0,AF-AN,,2,0.25,-54.25
1,0,KE/PA,subduction,0,179.5,-35.0
1,1,KE/PA,subduction,0,-179.5,-34.0
1,1,KE/PA,subduction,1,-179.0,-33.0
"""
BIRD = """AF-AN                      made up
 -5.00000E-01,-5.47500E+01
 -1.25000E-01,-5.45000E+01
*** end of line segment ***
EU\\AF                      made up, 2002
 +1.05000E+01,+3.85000E+01
 +1.07500E+01,+3.87500E+01
 +1.10000E+01,+3.90000E+01
*** end of line segment ***
"""
QUAKES = "\n".join([centennial(), centennial(year=1900, month=1, day=5, lon=-179.0, magnitude=5.5)]) + "\n"
SAMPLES = {
    "load_centennial": ("q.CAT", QUAKES, 2),
    "load_comcat": ("q.csv", COMCAT, 3),
    "load_commute": ("p.txt", COMMUTE, 2),
    "load_bus": ("b.csv", BUS, 3),
    "load_gpx": ("t.gpx", GPX, 4),
    "load_plate_boundaries": ("b.csv", PLATES, 6),
}


@pytest.fixture(autouse=True)
def no_data(monkeypatch):
    monkeypatch.delenv("SLPC_DATA", raising=False)


@pytest.fixture
def load(tmp_path):
    """Write a file and read it back with a loader."""

    def write_and_load(loader, content=None, name=None):
        usual, sample, _ = SAMPLES[loader]
        content = sample if content is None else content
        path = tmp_path / (name or usual)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return getattr(data, loader)(path)

    return write_and_load


# -- what is read -----------------------------------------------------------------------------------------------


def test_centennial(load):
    quakes = load("load_centennial")
    assert quakes.time.astype(str).tolist() == ["1900-01-05T05:23:34.050", "2007-09-30T05:23:34.050"]
    np.testing.assert_array_equal(quakes.points(), [[-179.0, -40.25], [150.5, -40.25]])
    assert quakes.magnitude.tolist() == [5.5, 7.4]
    assert quakes.depth.tolist() == [10.0, 10.0]
    assert quakes.magnitude_type.tolist() == ["Mw", "Mw"]
    assert quakes.skipped == ()
    assert repr(quakes) == "<Quakes: 2 rows, 0 left out in reading>"


def test_comcat(load):
    quakes = load("load_comcat")  # the search page lists the newest first
    assert quakes.time.astype(str).tolist() == [
        "1905-04-03T00:49:00.000",
        "1906-01-01T00:00:00.000",
        "2011-03-10T01:02:03.450",
    ]
    np.testing.assert_array_equal(quakes.lat, [-33.0, 10.0, 38.5])
    np.testing.assert_array_equal(quakes.magnitude, [7.9, np.nan, 9.1])
    np.testing.assert_array_equal(quakes.depth, [np.nan, 5, 29])
    short = load("load_comcat", "time,lon,lat,depth_km,mag,mag_type\n1902-11-15 20:15:00.000,172.5,-43.5,0.0,6.7,Ms\n")
    assert (short.lon[0], short.lat[0], short.magnitude_type[0]) == (172.5, -43.5, "Ms")


def test_boxes_and_magnitudes(load):
    quakes = load("load_comcat")
    assert quakes.within(magnitude=7.9).magnitude.tolist() == [7.9, 9.1]
    assert quakes.within(magnitude=(7, 8)).magnitude.tolist() == [7.9]
    assert len(quakes.within()) == 3
    assert quakes.within(lat=(-33.0, 10.0)).lat.tolist() == [-33.0, 10.0]
    for over_the_antimeridian in ((170, -170), (170, 190), (179.5, -179.5)):
        assert quakes.within(lon=over_the_antimeridian).lon.tolist() == [-179.5, 179.5]
    assert len(quakes.within(lon=(-180, 180))) == 3
    np.testing.assert_array_equal(quakes.points(centre=180)[:, 0], [180.5, 179.5, 142.25])
    with pytest.raises(ValueError, match="lat must go from a lower to a higher value"):
        quakes.within(lat=(10, -10))


def test_commute(load):
    track = load("load_commute")
    np.testing.assert_allclose(track.points(), [[-87.7583333333, 41.5041666667], [-88.005, 41.2625]], rtol=1e-10)
    assert track.time.astype(int).tolist() == [1000 * (17 * 3600 + 5 * 60 + 9), 1000 * (19 * 3600 + 20 * 60 + 30)]
    np.testing.assert_array_equal(track.xy, [[220.125, 350.5], [200.25, 340.75]])
    assert set(track.key) == {"p"}


def test_bus(load):
    track = load("load_bus")
    trips = track.by_key()
    assert {key: len(trip) for key, trip in trips.items()} == {"A7": 2, "B2": 1}
    assert str(trips["B2"].time[0]) == "2026-02-03T10:00:19.000"
    assert trips["A7"].lat.tolist() == [53.45, 53.47]
    assert track.within(lon=(-2.95, -2.92)).key.tolist() == ["A7", "B2"]
    assert track.xy.shape == (3, 0)


def test_gpx(load):
    track = load("load_gpx")
    assert track.key.tolist() == ["1.1", "1.1", "1.2", "2"]
    assert str(track.time[0]) == "2020-06-01T10:00:00.000"
    assert np.isnat(track.time[1:]).all()
    np.testing.assert_array_equal(track.points(), [[2.35, 48.85], [2.36, 48.86], [2.37, 48.87], [-179.5, -1.5]])
    utf16 = GPX.replace("UTF-8", "UTF-16").encode("utf-16")
    np.testing.assert_array_equal(load("load_gpx", utf16).points(), track.points())


def test_plate_boundaries(load):
    plates = load("load_plate_boundaries")
    assert plates.line.tolist() == [0, 0, 0, 1, 2, 2]
    assert [name for name, _ in plates.curves()] == ["AF-AN", "KE/PA"]
    np.testing.assert_array_equal(plates.curves(centre=180)[1][1].vertices, [[180.5, -34], [181, -33]])
    assert plates.kind.tolist() == [""] * 3 + ["subduction"] * 3
    # A line that leaves the box and comes back is two.
    wide = plates.within(lon=(-1, 1))
    assert wide.line.tolist() == [0, 0, 0]
    two = load("load_plate_boundaries", PLATES.replace("-0.125,", "5.125,")).within(lon=(-1, 1))
    assert two.line.tolist() == [0, 1]
    assert two.curves() == []
    assert len(plates.within(lat=(80, 90))) == 0


def test_birds_own_file(load):
    plates = load("load_plate_boundaries", BIRD, "PB2002_boundaries.dig.txt")
    assert plates.line.tolist() == [0, 0, 1, 1, 1]
    (first, line), (second, _) = plates.curves()
    assert (first, second) == ("AF-AN", "EU\\AF")
    np.testing.assert_allclose(line.vertices, [[-0.5, -54.75], [-0.125, -54.5]])
    assert plates.kind.tolist() == ["", "", "subduction", "subduction", "subduction"]


# -- where it is looked for -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loader", "folder", "name", "source"),
    [
        ("load_centennial", "centennial", "centennial_Y2K.CAT", "earthquake.usgs.gov/data/centennial"),
        ("load_comcat", "comcat_m6", "world.csv", "earthquake.usgs.gov/earthquakes/search"),
        ("load_commute", "uic_commute", "person1_0530_gpsdata01.txt", "cs.uic.edu"),
        ("load_bus", "liverpool_bus", "route14_outbound.csv", "bus-data.dft.gov.uk"),
        ("load_plate_boundaries", "pb2002", "boundaries.csv", "peterbird.name"),
    ],
)
def test_files_are_found(tmp_path, monkeypatch, loader, folder, name, source):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=f"no file '{name}' here, and SLPC_DATA is not set: .*{source}"):
        getattr(data, loader)()
    sample, rows = SAMPLES[loader][1:]
    for place in (tmp_path / "store" / folder, tmp_path / "flat"):
        place.mkdir(parents=True)
        (place / name).write_text(sample)
    for store in ("store", "flat"):
        monkeypatch.setenv("SLPC_DATA", str(tmp_path / store))
        assert len(getattr(data, loader)()) == rows
    assert len(getattr(data, loader)(str(tmp_path / "flat" / name))) == rows
    with pytest.raises(FileNotFoundError, match=f"nor in {tmp_path / 'flat'}"):
        getattr(data, loader)("elsewhere.txt")


# -- rows left out ----------------------------------------------------------------------------------------------


def test_a_day_that_does_not_exist_is_left_out_and_told_of(load):
    rows = "\n".join([centennial(), centennial(year=1911, month=7, day=0), centennial(month=10)])
    with pytest.warns(UserWarning, match=r"left out 1 row of 3, the first in line 2 \(time 1911-07-00") as told:
        quakes = load("load_centennial", rows)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert len(quakes) == 2
    assert quakes.skipped == ((2, "time 1911-07-00 05:23 does not exist"),)
    assert quakes.within(magnitude=8).skipped == quakes.skipped


@pytest.mark.parametrize(
    ("loader", "content", "skipped"),
    [
        ("load_comcat", COMCAT.replace("142.25", ""), ((2, "no longitude"),)),
        (
            "load_comcat",
            COMCAT.replace("1905-04-03", "1905-04-31"),
            ((3, "time '1905-04-31T01:49:00.000+01:00' does"),),
        ),
        ("load_commute", COMMUTE.replace("17:05", "17:75"), ((1, "time 17:75:09 does not exist"),)),
        ("load_bus", BUS.replace(",53.45,", ",,"), ((2, "no latitude"),)),
        ("load_gpx", GPX.replace(' lon="2.36"', ""), ((8, "no longitude"),)),
        ("load_plate_boundaries", PLATES.replace("-179.0,", ","), ((7, "no longitude"),)),
    ],
)
def test_rows_left_out(load, loader, content, skipped):
    with pytest.warns(UserWarning, match="left out 1 row") as told:
        found = load(loader, content)
    assert [warning.filename for warning in told] == [__file__]
    assert len(found) == SAMPLES[loader][2] - 1
    assert [(line, reason[: len(told)]) for (line, reason), (_, told) in zip(found.skipped, skipped, strict=True)] == [
        *skipped
    ]


# -- damaged files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loader", SAMPLES)
def test_damaged_files(load, loader):
    name, sample, _ = SAMPLES[loader]
    with pytest.raises(ValueError, match=f"{name} is empty"):
        load(loader, b" \n")
    lines = sample.encode().split(b"\n")
    with pytest.raises(ValueError, match=f"{name}, line 2: (found a zero byte|not well-formed)"):
        load(loader, b"\n".join([lines[0], b"\0\1\2" + lines[1], *lines[2:]]))
    with pytest.raises(ValueError, match=f"{name}, line 2: (found byte 0xff, which is not UTF-8|not well-formed)"):
        load(loader, b"\n".join([lines[0], b"\xff" + lines[1], *lines[2:]]))
    with pytest.raises(ValueError, match=f"{name}, line {len(lines) - 1}: (found|not well-formed)"):
        load(loader, sample.rstrip()[:-40] if loader == "load_centennial" else sample.rstrip()[: -len(lines[-2]) // 2])


@pytest.mark.parametrize(
    ("loader", "content", "message"),
    [
        ("load_centennial", centennial(lat=-99.25), "line 1: latitude must be between -90 and 90, found -99.250"),
        ("load_centennial", centennial().replace("7.4", "x.4"), "line 1: magnitude must be a number, found 'x.4'"),
        ("load_centennial", centennial(day=0), "no row that can be used: the first, in line 1, says: time 2007-09-00"),
        ("load_comcat", COMCAT.replace("-33.0", "-93.0"), "line 3: latitude must be between -90 and 90, found -93"),
        ("load_comcat", COMCAT.replace("2011-", "11-"), "line 2: time must be a date"),
        ("load_comcat", COMCAT.replace("mag,", "size,"), "line 1: no column 'mag' among"),
        ("load_comcat", COMCAT.replace('they say"', "they say"), "line 4: unexpected end of data"),
        ("load_commute", COMMUTE.replace("4130.2500", "9930.2500"), "line 1: latitude must .* found 9930.2500"),
        ("load_commute", COMMUTE.replace("08745.5000", "08765.5000"), "line 1: longitude must have minutes below 60"),
        ("load_commute", COMMUTE.replace("4130.2500", "41.86"), "line 1: latitude must be degrees and minutes"),
        ("load_commute", COMMUTE.replace("17:05:09", "noon"), "line 1: time must be as in 17:05:09, found 'noon'"),
        ("load_bus", BUS.replace("53.46", "inf"), "line 3: latitude must be a number, found 'inf'"),
        ("load_gpx", GPX.replace("48.86", "148.86"), "line 8: latitude must be between -90 and 90, found 148.86"),
        ("load_gpx", "<kml><trk/></kml>", "line 1: found <kml>, a GPX file begins with <gpx>"),
        ("load_gpx", "<gpx/>", "no row that can be used"),
        ("load_gpx", GPX.replace("UTF-8", "TF-8"), "line 1: found the encoding 'TF-8', expected one of utf-8"),
        ("load_gpx", GPX.replace("UTF-8", "utf-7"), "line 1: found the encoding 'utf-7'"),
        ("load_plate_boundaries", PLATES.replace("-54.25", "-154.25"), "line 4: latitude must be between"),
    ],
)
def test_what_is_wrong_and_where(load, loader, content, message):
    with pytest.raises(ValueError, match=message):
        load(loader, content)


def test_no_entities_are_expanded(load):
    swell = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<!DOCTYPE gpx [<!ENTITY a0 "lol">{swell}]>\n<gpx><trk><name>&a11;</name></trk></gpx>'
    with pytest.raises(ValueError, match=r"line 1: found a document type \(DOCTYPE\)"):
        load("load_gpx", bomb)
    with pytest.raises(ValueError, match="DOCTYPE"):
        load("load_gpx", bomb.encode("utf-16"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BIRD.rpartition("***")[0].rpartition("***")[0], "line 8: the file ends within the line EU.AF: it was cut off"),
        (BIRD.replace("AF-AN ", "Africa "), "line 1: found 'Africa .* expected two plates as in AF-AN"),
        (BIRD.replace("+3.87500E+01", "+3.87500E+01,0"), "line 7: found '.*', expected longitude and latitude"),
    ],
)
def test_birds_file_damaged(load, content, message):
    with pytest.raises(ValueError, match=message):
        load("load_plate_boundaries", content, "PB2002_boundaries.dig.txt")


@pytest.mark.parametrize("loader", SAMPLES)
@given(change=st.data())
def test_a_damaged_file_is_read_or_refused_but_nothing_else(loader, change):
    name, sample, _ = SAMPLES[loader]
    content = bytearray(sample.encode())
    for _ in range(change.draw(st.integers(1, 4))):
        start = change.draw(st.integers(0, len(content)))
        end = change.draw(st.integers(start, min(start + 30, len(content))))
        content[start:end] = change.draw(st.binary(max_size=4) | st.sampled_from([b",", b"\n", b"-", b'"', b"9" * 400]))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = Path(folder) / name
        path.write_bytes(content)
        refusal = ""
        try:
            found = getattr(data, loader)(path)
        except ValueError as error:
            refusal = str(error)
    if refusal:
        assert refusal.startswith(str(path))
    else:
        assert len(found) > 0
        assert (np.abs(found.points()) <= [180, 90]).all()


# -- the real files ---------------------------------------------------------------------------------------------


def real(name):
    path = REAL / name
    if not path.exists():
        pytest.skip(f"{path} is not here: let SLPC_DATA name the folder of the data")
    return path


def test_the_real_centennial_catalogue():
    with pytest.warns(UserWarning, match=r"left out 1 row of 13541, the first in line 350 \(time 1911-07-00"):
        quakes = data.load_centennial(real("centennial/centennial_Y2K.CAT"))
    assert len(quakes) + len(quakes.skipped) == 13_541
    box = quakes.within(lon=(130, 180), lat=(-70, 30), magnitude=7.2)
    assert len(box) == 212
    cut = data.load_comcat(real("centennial/paper_box_m72.csv"))
    np.testing.assert_array_equal(cut.points(), box.points())
    np.testing.assert_array_equal(cut.time, box.time)
    assert len(data.load_comcat(real("centennial/nz_macquarie.csv"))) == 364


def test_the_other_real_files():
    world = data.load_comcat(real("comcat_m6/world.csv"))
    assert len(world) == 13_857
    assert world.skipped == ()
    assert np.nanmin(world.magnitude) == 6.0
    assert len(data.load_commute(real("uic_commute/person1_0530_gpsdata01.txt"))) == 2300
    trips = data.load_bus(real("liverpool_bus/route14_outbound.csv")).by_key()
    assert len(trips) == 16
    assert sum(len(trip) for trip in trips.values()) == 1533
    plates = data.load_plate_boundaries(real("pb2002/boundaries.csv"))
    assert len(plates) == sum(len(line.vertices) for _, line in plates.curves()) == 6292
