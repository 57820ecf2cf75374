"""Rows of the catalogue: those of the command, as dictionaries."""

from __future__ import annotations

import base64
import concurrent.futures
import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import require

import pyeffigy

Row = dict[str, Any]


def command_rows(command: str, out: Path, *words: str | Path) -> list[Row]:
    """The rows that the command writes. It exits with 1 where a row has an error."""
    out.unlink(missing_ok=True)
    environment = {**os.environ, "EFFIGY_ASSETS": ""}
    arguments = [command, "catalog", *map(str, words), "-o", str(out)]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def models(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, models in an archive, and files that do not open."""
    folder = tmp_path_factory.mktemp("catalog") / "models"
    shutil.copytree(samples, folder)
    model = (samples / "mdx-800-creature.mdx").read_bytes()
    with zipfile.ZipFile(folder / "pack.pk3", "w") as archive:
        archive.writestr("units/a.mdx", model)
        archive.writestr("units/b.mdx", model[:2000])
    (folder / "broken").mkdir()
    (folder / "broken" / "short.m2").write_bytes((samples / "m2-264-creature.m2").read_bytes()[:100])
    (folder / "broken" / "empty.mdx").write_bytes(b"")
    (folder / "broken" / "archive.w3x").write_bytes(b"MPQ\x1a" + bytes(40))
    (folder / "effigy.toml").write_text('[check]\nignore = ["MDX2"]\n', encoding="utf-8")
    return folder


def test_rows_are_those_of_the_command(command: str, models: Path, tmp_path: Path) -> None:
    expected = command_rows(command, tmp_path / "x.ndjson", models)
    rows = pyeffigy.catalog(models)
    assert len(rows) == len(expected) > 60
    assert list(rows) == expected
    assert [list(row) for row in pyeffigy.catalog(models)] == [list(row) for row in expected], "the order of columns"
    assert any(row["archive"] for row in expected) and any(row["error"] for row in expected)


def test_rows_of_the_corpus_are_those_of_the_command(command: str, corpus: Path, tmp_path: Path) -> None:
    expected = command_rows(command, tmp_path / "x.ndjson", corpus)
    assert len(expected) > 400
    assert list(pyeffigy.catalog(corpus)) == expected
    paths = sorted(set(pyeffigy.find(corpus)))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(pyeffigy.catalog_row, paths)) == expected


def test_a_row_alone_is_the_row_of_the_catalogue(models: Path) -> None:
    for row in pyeffigy.catalog(models):
        assert pyeffigy.catalog_row(row["path"]) == row


def test_options_are_those_of_the_command(command: str, models: Path, tmp_path: Path) -> None:
    out, model = tmp_path / "x.ndjson", models / "mdx-800-creature.mdx"
    expected = command_rows(command, out, model, "--assets", models, "--assets", models / "pack.pk3", "--from", "mdx")
    given: dict[str, Any] = {"assets": [str(models), models / "pack.pk3"], "format": "mdx"}
    assert list(pyeffigy.catalog(model, **given)) == [pyeffigy.catalog_row(model, **given)] == expected
    assert expected[0]["effigy"] != pyeffigy.catalog_row(model)["effigy"]
    in_memory = pyeffigy.catalog_row(model, assets={"a.blp": b"BLP1"})
    assert in_memory["effigy"] not in (expected[0]["effigy"], pyeffigy.catalog_row(model)["effigy"])


def test_a_file_that_does_not_open_is_a_row(models: Path, tmp_path: Path) -> None:
    (tmp_path / "picture.mdx").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "effigy.toml").write_text("[check", encoding="utf-8")
    columns = [column.name for column in pyeffigy.catalog_columns()]
    cases: list[tuple[str | Path, str, str]] = [
        (models / "broken" / "short.m2", "malformed", ""),
        (models / "broken" / "empty.mdx", "malformed", "empty"),
        (models / "none.mdx", "io", "no such file"),
        (f"{models}/pack.pk3:units/none.mdx", "io", ""),
        (tmp_path / "picture.mdx", "usage", "effigy.toml"),
        (models, "usage", "catalog"),
        (models / "pack.pk3", "usage", "2 models"),
    ]
    for path, kind, why in cases:
        row = pyeffigy.catalog_row(path)
        assert list(row) == columns
        assert (row["path"], row["error_kind"], row["format"]) == (str(path), kind, None), row
        assert why in row["error"], row["error"]
    rows = list(pyeffigy.catalog(models / "none.mdx", models / "broken" / "empty.mdx"))
    assert [row["error_kind"] for row in rows] == ["malformed", "io"]
    with pytest.raises(pyeffigy.UsageError, match="effigy.toml"):
        pyeffigy.catalog(tmp_path / "picture.mdx")


def test_a_row_for_a_file_that_something_else_failed_for(models: Path) -> None:
    path = models / "mdx-800-creature.mdx"
    row, usual = pyeffigy.catalog_row(path, failed="the worker ended"), pyeffigy.catalog_row(path)
    assert {name: value for name, value in row.items() if value is not None} == {
        "path": str(path),
        "error": "the worker ended",
        "error_kind": "unsupported",
        "effigy": usual["effigy"],
    }
    assert list(row) == list(usual)


def test_parts_together_are_the_whole(command: str, models: Path, tmp_path: Path) -> None:
    whole = list(pyeffigy.catalog(models))
    parts = [list(pyeffigy.catalog(models, shard=(index, 5))) for index in range(5)]
    assert sorted((row for part in parts for row in part), key=lambda row: str(row["path"])) == whole
    assert all(len(part) < len(whole) for part in parts)
    assert parts[3] == command_rows(command, tmp_path / "x.ndjson", models, "--shard", "3/5")


def test_a_file_that_is_named_twice_has_one_row(models: Path) -> None:
    assert list(pyeffigy.catalog(models, models / "pack.pk3")) == list(pyeffigy.catalog(models))


def test_threads_share_the_rows(models: Path) -> None:
    rows = pyeffigy.catalog(models)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        parts = [pool.submit(lambda: list(rows)) for _ in range(4)]
    found = [row for part in parts for row in part.result()]
    assert sorted(found, key=lambda row: str(row["path"])) == list(pyeffigy.catalog(models))


def test_wrong_arguments_are_exceptions(models: Path) -> None:
    path = models / "mdx-800-creature.mdx"
    wrong: list[dict[str, Any]] = [{"shard": (4, 4)}, {"shard": (0, 0)}, {"thumbnails": 8}, {"format": "doc"}]
    for one in wrong:
        with pytest.raises(pyeffigy.UsageError):
            pyeffigy.catalog(path, **one)
    with pytest.raises(pyeffigy.UsageError):
        pyeffigy.catalog_row(path, thumbnails=5000)
    with pytest.raises(pyeffigy.EffigyError):
        pyeffigy.catalog_row(path, assets="not there")


def test_columns_are_those_of_the_schema(command: str) -> None:
    text = subprocess.run([command, "schema", "catalog"], check=True, capture_output=True, text=True).stdout
    schema = json.loads(text)["anyOf"][0]
    columns = pyeffigy.catalog_columns()
    assert [column.name for column in columns] == schema["required"]
    names = {"text": "string", "int": "integer", "float": "number", "double": "number", "bool": "boolean", "bytes": "string"}

    def kinds(column: pyeffigy.results.Column) -> Any:
        kind = names.get(column.kind, "array")
        return [kind, "null"] if column.optional else kind

    for column in columns:
        described = schema["properties"][column.name]
        assert (described["type"], described["description"]) == (kinds(column), column.about)
        assert (described.get("contentEncoding") == "base64") == (column.kind == "bytes")
        fields = described.get("items", {}).get("properties", {})
        assert [field.name for field in column.fields] == list(described.get("items", {}).get("required", []))
        assert all(fields[field.name]["type"] == kinds(field) and not field.fields for field in column.fields)
    assert {column.kind for column in columns} == {"text", "int", "float", "bytes", "texts", "records"}


def test_pictures_are_bytes(command: str, models: Path, tmp_path: Path) -> None:
    path = models / "mdx-800-creature.mdx"
    try:
        row = next(pyeffigy.catalog(path, thumbnails=32))
    except pyeffigy.EffigyError as error:
        require("gpu", False, str(error))
        return
    assert row["thumbnail"].startswith(b"\x89PNG")
    expected = command_rows(command, tmp_path / "x.ndjson", path, "--thumbnails", "32")[0]
    assert row == {**expected, "thumbnail": base64.b64decode(expected["thumbnail"])}
