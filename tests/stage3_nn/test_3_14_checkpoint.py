"""Exercise 3.14: weights on disk that survive a crash."""

import os
from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from course import grade
from course.grade import exercise
from stage3_nn import checkpoint, load, save

pytestmark = exercise("3.14")

STATE = {
    "layers.0.weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    "bias": np.array([1.5, -2.5]),
    "steps": np.array(7, dtype=np.int64),
    "nothing": np.zeros((0, 3), np.float32),
}


def same(found, state, what):
    grade.true(set(found) == set(state), f"{what}: the names are {sorted(state)}", "all of them")
    for name, array in state.items():
        known = {}
        if name == "T":
            known[(0, 1), (2, 3), (4, 5)] = 'a view is not in order: np.asarray(a, order="C")'
        elif name == "steps":
            known[(7.0,)] = 'np.ascontiguousarray gives a number an axis: np.asarray(a, order="C")'
        grade.close(found[name], array, f"{what}: {name}", known)
        grade.true(found[name].dtype == array.dtype, f"{name} is {array.dtype}", "keep the dtype")


def test_there_and_back(tmp_path):
    save(tmp_path / "a.safetensors", STATE, {"epoch": "3"})
    state, metadata = load(tmp_path / "a.safetensors")
    same(state, STATE, "what was loaded")
    grade.true(
        metadata == {"epoch": "3"},
        f"the metadata is {{'epoch': '3'}}; it is {metadata}",
        "hand the metadata over, and back",
    )


def test_without_metadata(tmp_path):
    save(tmp_path / "a.safetensors", STATE)
    metadata = load(tmp_path / "a.safetensors")[1]
    grade.true(metadata == {}, f"the metadata is {{}}; it is {metadata}", "None is not a dict")


def test_a_path_may_be_a_string(tmp_path):
    path = os.fspath(tmp_path / "a.safetensors")
    save(path, STATE)
    same(load(path)[0], STATE, "what was loaded from a str")


def test_arrays_that_are_views(tmp_path):
    array = np.arange(6.0).reshape(2, 3)
    views = {"T": array.T, "column": array[:, 1], "flipped": array[::-1]}
    save(tmp_path / "a.safetensors", views)
    same(load(tmp_path / "a.safetensors")[0], views, "views")


def test_other_programs_can_read_it(tmp_path):
    save(tmp_path / "a.safetensors", STATE)
    same(load_file(tmp_path / "a.safetensors"), STATE, "read by the library safetensors")
    save_file(STATE, tmp_path / "b.safetensors")
    state, metadata = load(tmp_path / "b.safetensors")
    same(state, STATE, "written by the library safetensors")
    grade.true(metadata == {}, f"its metadata is {{}}; it is {metadata}", "None is not a dict")


def test_saving_again_replaces_the_file_and_leaves_no_litter(tmp_path):
    path = tmp_path / "a.safetensors"
    save(path, STATE)
    save(path, {"new": np.ones(3)})
    same(load(path)[0], {"new": np.ones(3)}, "after a second save")
    found = sorted(os.listdir(tmp_path))
    why = "rename the file beside it, or remove it"
    grade.true(found == ["a.safetensors"], f"the folder holds the file only; it holds {found}", why)


def test_the_new_file_takes_the_name_in_one_step(tmp_path):
    path, link = tmp_path / "a.safetensors", tmp_path / "second name of the old file"
    save(path, STATE)
    os.link(path, link)
    save(path, {"new": np.ones(3)})
    copied = "write beside it and rename: the new bytes were written into the old file"
    grade.true("bias" in load(link)[0], "under its other name the old file is as it was", copied)


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.safetensors", tmp_path / "link.safetensors"
    save(real, STATE)
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("this system makes no links")
    save(link, {"new": np.ones(3)})
    why = "the file that the link points to is to be replaced: path.resolve()"
    grade.true(link.is_symlink(), "the link is there", why)
    grade.true(list(load(real)[0]) == ["new"], "the file behind it is the new one", why)


def still_there(path, moment):
    """The old file is in its place, and whole."""
    why = "write beside it, and rename at the end"
    grade.true(path.exists(), f"the old file is there after {moment}", why)
    same(load(path)[0], STATE, f"the old file after {moment}")


MOMENTS = ["os.fsync", "os.replace", "os.rename", "pathlib.Path.replace", "pathlib.Path.rename"]


def interrupt(*_args, **_kwargs):
    raise KeyboardInterrupt


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch, moment):
    path = tmp_path / "a.safetensors"
    save(path, STATE)
    monkeypatch.setattr(moment, interrupt)
    try:
        save(path, {"new": np.ones(3)})
    except KeyboardInterrupt:
        monkeypatch.undo()
        still_there(path, f"Ctrl-C in {moment}")
        found = sorted(os.listdir(tmp_path))
        why = "remove what was written beside it, after any exception: except BaseException"
        grade.true(found == ["a.safetensors"], f"nothing else is left; there is {found}", why)


def test_the_file_is_never_half_written(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    save(path, STATE)
    old, seen, sizes, beside = path.read_bytes(), [], [], []
    real = os.fsync

    def look(handle):
        seen.append(path.read_bytes() == old)
        sizes.append(os.fstat(handle).st_size)
        beside.append(len(os.listdir(tmp_path)))
        real(handle)

    monkeypatch.setattr("os.fsync", look)
    save(path, {"new": np.ones(10)})
    flush = "os.fsync before the rename: a name must not point to what is not on the disk yet"
    grade.true(seen, "os.fsync is called", flush)
    grade.true(
        all(seen),
        "the old file is whole while the new one is written",
        "write beside it and rename",
    )
    late = "file.flush() before os.fsync: what is in Python's buffer is not on the disk"
    grade.true(path.stat().st_size in sizes, "all was written when os.fsync was called", late)
    far = "in another folder, which may be on another disk, there is no renaming in one step"
    grade.true(max(beside) > 1, "the new file is written in the folder of the old one", far)


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    save(path, STATE)

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    grade.raises(lambda: save(path, {"new": np.ones(3)}), "save on a full disk", "say so")
    monkeypatch.undo()
    still_there(path, "a full disk")


def test_the_folder_must_exist(tmp_path):
    grade.raises(lambda: save(tmp_path / "no" / "a", STATE), "save into no folder", "say so")


@pytest.mark.parametrize("content", [b"", b"\x80\x04N.", b"\xff" * 200, b"hello world" * 20])
def test_what_is_no_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(content)
    grade.raises(lambda: load(path), f"load of {content[:12]!r}...", "it is no safetensors file")


def test_a_file_that_was_cut_off_is_refused(tmp_path):
    path = tmp_path / "a.safetensors"
    save(path, STATE)
    whole = path.read_bytes()
    for size in (4, 20, len(whole) - 1):
        path.write_bytes(whole[:size])
        grade.raises(lambda: load(path), f"load of the first {size} bytes", "it was cut off")


def test_the_error_is_a_clear_one(tmp_path):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(b"nothing")
    why = "turn the SafetensorError into a ValueError that says what to do"
    grade.raises(lambda: load(path), "load of a damaged file", why, leaks=(SafetensorError,))
    try:
        load(path)
    except ValueError as error:
        grade.true("bad.safetensors" in str(error), "the message names the file", "say which")


def test_a_missing_file_is_refused(tmp_path):
    grade.raises(lambda: load(tmp_path / "none"), "load of a missing file", "there is none")


def test_metadata_must_be_strings(tmp_path):
    grade.raises(
        lambda: save(tmp_path / "a", STATE, {"epoch": 3}),
        "metadata {'epoch': 3}",
        "safetensors holds strings",
    )


def test_bytes_of_any_kind(tmp_path):
    checkpoint.write_atomically(Path(tmp_path / "note"), b"abc")
    found = (tmp_path / "note").read_bytes()
    grade.true(found == b"abc", f"write_atomically wrote b'abc'; it wrote {found}", "write content")
