"""Errors say what is wrong and where."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import pytest
from handmade import MDL

import pyeffigy


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        pyeffigy.open("/no/such/footman.mdx")
    assert isinstance(caught.value, pyeffigy.MissingFileError)
    assert (caught.value.code, caught.value.file) == ("io", "/no/such/footman.mdx")
    assert str(caught.value).startswith("/no/such/footman.mdx: ")


def test_a_file_that_is_not_a_model() -> None:
    with pytest.raises(pyeffigy.UnsupportedError) as caught:
        pyeffigy.open(b"GIF89a and so on, which is long enough to be looked at")
    assert caught.value.code == "unsupported"


def test_an_offset_and_a_path_lead_to_the_fault(samples: Path) -> None:
    content = bytearray((samples / "chest.md3").read_bytes())
    # The number of frames in the header of an MD3: after the mark, the version, the name of 64 bytes and the flags.
    struct.pack_into("<I", content, 76, 0x7FFFFFFF)
    with pytest.raises(pyeffigy.EffigyError) as caught:
        pyeffigy.open(bytes(content), name="chest.md3")
    error = caught.value
    assert error.offset is not None and 0 <= error.offset <= len(content)
    assert f"{error.offset:#x}" in str(error)
    assert error.file == "chest.md3"


def test_a_broken_file_is_a_value_error_at_its_offset() -> None:
    with pytest.raises(ValueError, match="no chunk follows") as caught:
        pyeffigy.open(b"MDLX" + bytes(12), name="broken.mdx")
    assert isinstance(caught.value, pyeffigy.MalformedError)
    assert (caught.value.code, caught.value.offset, caught.value.file) == ("malformed", 4, "broken.mdx")


def test_what_the_reader_of_a_text_noticed_has_a_line() -> None:
    text = MDL.replace(b"FormatVersion 800", b"FormatVersion (")
    problem = next(one for one in pyeffigy.open(text, name="handmade.mdl").diagnostics if one.severity == "error")
    assert (problem.code, problem.line, problem.offset) == ("MDL0101", (2, 16), text.index(b"("))


def test_a_hint_is_shown_and_everything_is_pickled(samples: Path) -> None:
    alone = pyeffigy.open((samples / "m2-264-creature.m2").read_bytes(), name="imp.m2")
    with pytest.raises(pyeffigy.UsageError) as caught:
        _ = alone.scene
    error = caught.value
    assert error.hint is not None and error.hint in error.__notes__
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    names = ("code", "offset", "line", "path", "hint", "file", "args", "__notes__")
    assert [getattr(again, name) for name in names] == [getattr(error, name) for name in names]


def test_all_errors_are_effigy_errors() -> None:
    for name in pyeffigy.errors.__all__:
        assert issubclass(getattr(pyeffigy, name), pyeffigy.EffigyError)


def test_the_disk_refuses(samples: Path, tmp_path: Path) -> None:
    with pytest.raises(pyeffigy.IoError) as caught:
        pyeffigy.open(samples / "chest.md3").save(tmp_path / "no" / "\0" / "x.md3")
    assert isinstance(caught.value, OSError)


def test_damaged_files_are_errors_and_nothing_worse(samples: Path) -> None:
    """Each model is cut off or overwritten at thirty places; what still opens is looked at from all sides."""
    opened = failed = 0
    for name in ("mdx-800-everything.mdx", "m2-256-everything.m2", "chest.mdc", "chest.md3", "soldier.mds", "mdx-wow-1500-creature.mdx"):
        content = (samples / name).read_bytes()
        for step in range(30):
            at = len(content) * step // 30
            for damaged in (content[:at], content[:at] + b"\xff\xff\xff\x7f" + content[at + 4 :]):
                try:
                    model = pyeffigy.open(damaged, name=name)
                    _ = model.summary, model.fields(), model.check(), model.verify()
                    for number in range(len(model.sequences)):
                        assert len(model.pose(number, 0.1).meshes) == len(model.meshes)
                    opened += 1
                except pyeffigy.EffigyError:
                    failed += 1
    assert opened > 30 and failed > 30, (opened, failed)
