"""Saved models: damaged files, files of other versions, and what is written where."""

import json
import os
import stat
import zlib

import numpy as np
import pytest

from slpc import SLPC, load
from slpc.learner.persist import MAGIC, NotALearnerError

MODEL = SLPC(memory=64, max_segments=4).fit(np.random.default_rng(0).normal(size=(100, 2)))


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "model.slpc"
    MODEL.save(file)
    return file


def test_every_bit_before_the_arrays_is_watched(path):
    data = path.read_bytes()
    for i in range(len(MAGIC) + 40):
        for bit in range(8):
            changed = bytearray(data)
            changed[i] ^= 1 << bit
            path.write_bytes(bytes(changed))
            with pytest.raises(NotALearnerError, match=r"model.slpc is (damaged|not a saved slpc learner)"):
                load(path)


def rewrite(path, change):
    """Change the description of a saved model, and give it the checksum that fits."""
    payload = path.read_bytes()[len(MAGIC) + 8 :]
    end = 8 + int(payload[:8], 16)
    description = json.loads(payload[8:end])
    change(description)
    text = json.dumps(description).encode()
    payload = f"{len(text):08x}".encode() + text + payload[end:]
    path.write_bytes(MAGIC + f"{zlib.crc32(payload):08x}".encode() + payload)


def test_intact_files_of_the_same_form_are_read(path):
    rewrite(path, lambda about: None)
    assert load(path).curve_ == MODEL.curve_


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about["settings"].update(mood=1),
        lambda about: about["settings"].pop("start"),
        lambda about: about["settings"].update(memory=-1),
        lambda about: about["settings"].update(max_segments=100),
        lambda about: about.update(version="x"),
        lambda about: about.update(version=None),
        lambda about: about.update(arrays=None),
        lambda about: about.update(arrays={}),
        lambda about: about.update(settings=7),
        lambda about: about.update(extra=None),
        lambda about: about.pop("extra"),
        lambda about: about["arrays"].pop("means"),
        lambda about: about["arrays"].update(news=about["arrays"]["far"]),
        lambda about: about["arrays"]["means"].update(shape=[3, 10**12]),
        lambda about: about["arrays"]["means"].update(dtype="<f4"),
        lambda about: about["arrays"]["means"].update(at=10**12),
        lambda about: about["arrays"]["origin"].update(shape=[]),
        lambda about: about["extra"].pop("parameters"),
        lambda about: about["extra"]["parameters"].update(mood=1),
        lambda about: about["extra"].pop("cumulative_loss"),
        lambda about: about.clear(),
    ],
)
def test_intact_files_of_another_form_are_refused(path, change):
    rewrite(path, change)
    with pytest.raises(NotALearnerError, match=r"model.slpc was written by another version of slpc"):
        load(path)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")
class TestFiles:
    def test_permissions_are_those_of_any_new_file_or_of_the_one_replaced(self, path):
        plain = path.with_name("plain")
        plain.write_bytes(b"")
        assert mode(path) == mode(plain)
        path.chmod(0o640)
        MODEL.save(path)
        assert mode(path) == 0o640

    def test_a_link_stays_a_link(self, path, tmp_path):
        link, folder = tmp_path / "latest", tmp_path / "elsewhere"
        folder.mkdir()
        link.symlink_to(folder / "target")
        for _ in range(2):
            MODEL.save(link)
            assert link.is_symlink()
            assert load(folder / "target").curve_ == MODEL.curve_
        assert sorted(file.name for file in folder.iterdir()) == ["target"]

    @pytest.mark.parametrize(
        ("name", "advice"),
        [
            ("", "give the name of a file in this folder"),
            ("nowhere/model.slpc", "make its folder first"),
            ("model.slpc/model.slpc", "choose a folder before the name"),
            ("x" * 300, "choose a shorter name"),
        ],
    )
    def test_where_nothing_can_be_written(self, path, tmp_path, name, advice):
        with pytest.raises(OSError, match=advice) as caught:
            MODEL.save(tmp_path / name)
        assert caught.value.filename == str(tmp_path / name)
        assert [file.name for file in tmp_path.iterdir()] == ["model.slpc"]

    def test_a_long_name_that_the_disk_bears(self, tmp_path):
        MODEL.save(tmp_path / ("x" * 255))
        assert [len(file.name) for file in tmp_path.iterdir()] == [255]
