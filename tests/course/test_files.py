"""Files are written whole or not at all, and the learner's line ends are their own."""

import errno
import os

import pytest

from course import files


@pytest.fixture
def full_disk(monkeypatch):
    def fail(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)


@pytest.mark.parametrize("text", ["a\nb\n", "a\r\nb\r\n", "ä\n", ""])
def test_what_is_written_is_read_again(tmp_path, text):
    files.write(tmp_path / "a.py", text)
    assert files.read(tmp_path / "a.py") == text


def test_bytes_are_written_as_they_are(tmp_path):
    files.write(tmp_path / "a.py", b"\xff\r\n")
    assert (tmp_path / "a.py").read_bytes() == b"\xff\r\n"


def test_folders_are_made_on_the_way(tmp_path):
    files.write(tmp_path / "a" / "b" / "c.py", "")
    assert (tmp_path / "a" / "b" / "c.py").is_file()


def test_the_mark_that_windows_editors_put_first_is_not_read(tmp_path):
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert files.read(tmp_path / "a.py") == "x = 1\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_a_file_keeps_its_rights(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("old")
    path.chmod(0o600)
    files.write(path, "new")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_is_an_error(tmp_path, full_disk):
    with pytest.raises(OSError, match="No space left"):
        files.write(tmp_path / "a.py", "new")


def test_a_full_disk_leaves_the_old_file(tmp_path, full_disk):
    (tmp_path / "a.py").write_text("old")
    with pytest.raises(OSError, match="No space left"):
        files.write(tmp_path / "a.py", "new")
    assert (tmp_path / "a.py").read_text() == "old"


def test_a_full_disk_leaves_nothing_half_written(tmp_path, full_disk):
    with pytest.raises(OSError, match="No space left"):
        files.write(tmp_path / "a.py", "new")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_the_old_file(tmp_path, monkeypatch):
    def interrupt(source, target):
        raise KeyboardInterrupt

    (tmp_path / "a.py").write_text("old")
    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        files.write(tmp_path / "a.py", "new")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a.py": "old"}
