"""Fields, edits, checks, conversions and files."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from handmade import MDL

import pyeffigy


def test_fields_are_plain_values_under_the_names_of_paths() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    fields = model.fields()
    assert fields["MODL"]["name"] == "Handmade"
    assert [one["name"] for one in fields["SEQS"]] == ["Stand", "Turn"]
    assert fields["SEQS"][1]["interval"] == [[2000, 4000]]
    assert fields["SEQS"][1]["move_speed"] == 30.0
    assert fields["PIVT"] == [[1.0, 0.0, 0.0]]
    assert json.loads(json.dumps(fields)) == fields


def test_chunks_that_repeat_are_all_there(samples: Path) -> None:
    fields = pyeffigy.open(samples / "mdx-odd-repeated-chunks.mdx").fields()
    repeated = [name for name in fields if name.endswith("#2")]
    assert repeated and all(name.removesuffix("#2") in fields for name in repeated)


def test_a_field_is_set_and_nothing_else_changes(samples: Path) -> None:
    path = samples / "mdx-800-creature.mdx"
    before = path.read_bytes()
    model = pyeffigy.open(path)
    assert model.to_bytes() == before
    assert model.set("SEQS[2].move_speed", 151.5) == ()
    changed = model.to_bytes()
    # The speed of the third sequence: after its name of 80 bytes and its interval.
    at = before.index(b"SEQS") + 8 + 2 * 132 + 80 + 8
    assert struct.unpack_from("<f", before, at) == (150.0,)
    assert changed == before[:at] + struct.pack("<f", 151.5) + before[at + 4 :]
    assert model.summary.sequences[2].speed == 151.5
    assert path.read_bytes() == before


def test_values_of_any_kind_are_set() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    model.set("MODL.name", "Renamed")
    model.set("SEQS[0].interval", [5, 900])
    model.set("PIVT[0]", np.float32([1, 2, 3]))
    model.set("SEQS[*].rarity", np.float64(0.25))
    fields = model.fields()
    assert (fields["MODL"]["name"], model.name) == ("Renamed", "Renamed")
    assert fields["SEQS"][0]["interval"] == [[5, 900]]
    assert fields["PIVT"] == [[1.0, 2.0, 3.0]]
    assert [one["rarity"] for one in fields["SEQS"]] == [0.25, 0.25]
    with pytest.raises(TypeError):
        model.set("MODL.name", object())
    for path in ("NONE.name", "SEQS[9].name", "MODL.colour"):
        with pytest.raises(pyeffigy.UsageError, match="no field"):
            model.set(path, 1)


def test_only_one_line_of_a_text_changes(samples: Path) -> None:
    path = samples / "mdl-800-creature.mdl"
    model = pyeffigy.open(path)
    assert model.set("SEQS[2].move_speed", 151.5) == ()
    before, after = path.read_text().splitlines(), model.to_bytes().decode().splitlines()
    changed = [(old.strip(), new.strip()) for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [("MoveSpeed 150,", "MoveSpeed 151.5,")]


def test_comments_that_are_lost_are_reported() -> None:
    text = MDL.replace(b"Sequences 2 {", b"// what it can do\nSequences 2 {")
    model = pyeffigy.open(text, name="handmade.mdl")
    (note,) = model.set("SEQS[1].move_speed", 40)
    assert note.outcome == "approximated" and "comments" in note.message
    assert b"MoveSpeed 40," in model.to_bytes() and b"what it can do" not in model.to_bytes()


def test_other_families_are_edited_where_it_has_a_meaning(samples: Path) -> None:
    model = pyeffigy.open(samples / "chest.md3")
    assert model.set("header.name", "models/other.md3") == ()
    assert pyeffigy.open(model.to_bytes(), name="again.md3").name == "models/other.md3"
    with pytest.raises(pyeffigy.UsageError, match="follows from"):
        model.set("header.num_frames", 3)
    with pytest.raises(pyeffigy.EffigyError, match="MD3") as caught:
        model.edit("recompute", "normals")
    assert caught.value.code in ("unsupported", "usage")


def test_findings_are_those_of_the_command(samples: Path, command: str) -> None:
    paths = sorted(samples.glob("mdx-odd-*.mdx"))
    lines = subprocess.run(
        [command, "check", "--json", *map(str, paths)], check=False, capture_output=True, text=True
    ).stdout.splitlines()
    rows = {row["path"]: row["findings"] for row in map(json.loads, lines) if "findings" in row and "path" in row}
    assert len(rows) > 15
    total = 0
    for path, expected in rows.items():
        found = [(one.code, one.severity, one.path, one.message) for one in pyeffigy.open(path).check()]
        assert found == [(one["code"], one["severity"], one["place"], one["message"]) for one in expected], path
        total += len(found)
    assert total > 15


def test_repairs_remove_their_findings(samples: Path) -> None:
    path = samples / "mdx-odd-keys-out-of-order.mdx"
    model = pyeffigy.open(path)
    fixable = [one for one in model.check() if one.fixable]
    assert fixable
    applied = model.fix()
    assert {one.code for one in applied} >= {one.code for one in fixable}
    assert not [one for one in model.check() if one.fixable]
    assert model.fix() == ()
    assert model.to_bytes() != path.read_bytes()
    assert model.verify().status == "identical"


def test_checks_are_selected_by_code(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-odd-keys-out-of-order.mdx")
    codes = {one.code for one in model.check()}
    code = sorted(codes)[0]
    assert {one.code for one in model.check(select=[code])} == {code}
    assert {one.code for one in model.check(ignore=[code])} == codes - {code}


def test_models_are_verified(samples: Path) -> None:
    assert pyeffigy.open(samples / "mdx-800-creature.mdx").verify().status == "identical"
    odd = pyeffigy.open(samples / "mdx-odd-junk-after-names.mdx").verify()
    assert odd.status in ("identical", "guarded")


def test_glb_holds_the_model(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    converted = model.convert("glb")
    magic, version, length, chunk, kind = struct.unpack_from("<4sIII4s", converted.data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(converted.data), b"JSON")
    document = json.loads(converted.data[20 : 20 + chunk])
    assert [one["name"] for one in document["animations"]] == [one.name for one in model.sequences]
    assert converted.companions == {}
    assert all(note.outcome in ("kept aside", "rebuilt", "approximated", "dropped") for note in converted.report)
    fewer = json.loads(model.convert("glb", animations=["Walk"], textures=False).data[20:].split(b"\0")[0][:chunk].decode(errors="ignore").rsplit("}", 1)[0] + "}")
    assert [one["name"] for one in fewer["animations"]] == ["Walk"] and "images" not in fewer


def test_a_conversion_is_the_same_as_that_of_the_command(samples: Path, command: str, tmp_path: Path) -> None:
    for name, target in (("mdx-800-creature.mdx", "mdx:1000"), ("m2-256-creature.m2", "m2:264"), ("chest.md3", "mdc")):
        stem = name.split(".")[0]
        converted = pyeffigy.open(samples / name).convert(target, name=stem)
        out = tmp_path / stem
        subprocess.run(
            [command, "convert", str(samples / name), "--to", target, "-o", str(out) + "/"], check=True, capture_output=True
        )
        written = {path.name: path.read_bytes() for path in out.iterdir()}
        main = f"{stem}.{target.split(':')[0]}"
        assert written == {main: converted.data, **converted.companions}


def test_an_unknown_target_is_an_error(samples: Path) -> None:
    with pytest.raises(pyeffigy.UsageError):
        pyeffigy.open(samples / "chest.md3").convert("obj")


def test_saved_files_are_the_same_bytes(samples: Path, tmp_path: Path) -> None:
    for path in (samples / "mdx-800-creature.mdx", samples / "mdl-800-creature.mdl", samples / "chest.mdc", samples / "soldier.mds"):
        assert pyeffigy.open(path).save(tmp_path / f"copy{path.suffix}") == ()
        assert (tmp_path / f"copy{path.suffix}").read_bytes() == path.read_bytes()
    pyeffigy.open(samples / "m2-264-creature.m2").save(tmp_path / "other.m2")
    for number in range(4):
        copy = tmp_path / f"other0{number}.skin"
        assert copy.read_bytes() == (samples / f"m2-264-creature0{number}.skin").read_bytes()
    pyeffigy.open(samples / "chest.mdc").save(tmp_path / "chest.glb")
    assert (tmp_path / "chest.glb").read_bytes()[:4] == b"glTF"


def test_no_file_is_written_outside_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("../x.tga", "..\\x.tga", "/x.tga", "C:\\x.tga", "textures/../../x.tga", "\\x.tga"):
        converted = pyeffigy.results.Converted(b"main", {name: b"texture"}, ())
        with pytest.raises(pyeffigy.UsageError):
            converted.save(folder / "model.mdx")
    assert list(tmp_path.iterdir()) == [folder] and list(folder.iterdir()) == []
    pyeffigy.results.Converted(b"main", {"textures/x.tga": b"texture"}, ()).save(folder / "model.mdx")
    assert (folder / "textures" / "x.tga").read_bytes() == b"texture"


def test_a_conversion_with_companions_is_saved(samples: Path, tmp_path: Path) -> None:
    pyeffigy.open(samples / "m2-256-creature.m2").convert("m2:264", name="new").save(tmp_path / "new.m2")
    assert pyeffigy.open(tmp_path / "new.m2").version == 264
    assert len(pyeffigy.open(tmp_path / "new.m2").meshes) > 0
