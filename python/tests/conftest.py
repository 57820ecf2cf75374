"""What the tests share: the samples that the command writes, the corpus, and what happens when something is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def require(thing: str, available: bool, why: str) -> None:
    """Skips the calling test loudly if it needs something that is missing; fails if `EFFIGY_REQUIRE` lists that thing.

    It does what the function of the crate `effigy-testkit` does for tests in Rust.
    """
    if available:
        return
    listed = [word.strip() for word in os.environ.get("EFFIGY_REQUIRE", "").split(",")]
    if thing in listed:
        pytest.fail(f"EFFIGY_REQUIRE lists {thing}: {why}")
    if skipped := os.environ.get("EFFIGY_SKIPPED"):
        test = os.environ.get("PYTEST_CURRENT_TEST", "unnamed").split(" ")[0]
        with open(skipped, "a", encoding="utf-8") as file:
            file.write(f"{thing}\t{why}\tpython::{test}\n")
    pytest.skip(why)


def find_command() -> str | None:
    """The command `effigy`: `EFFIGY_COMMAND`, else the one that cargo built last, else one on the path."""
    if named := os.environ.get("EFFIGY_COMMAND"):
        return named
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    built = [target / profile / "effigy" for profile in ("debug", "release")]
    found = [path for path in built if path.is_file()]
    if found:
        return str(max(found, key=lambda path: path.stat().st_mtime))
    return shutil.which("effigy")


@pytest.fixture(scope="session")
def command() -> str:
    """The command `effigy`."""
    found = find_command()
    require("command", found is not None, "the command effigy is not built (cargo build, or set EFFIGY_COMMAND)")
    assert found is not None
    return found


@pytest.fixture(scope="session")
def samples(command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every sample model at every version."""
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([command, "demo", str(folder), "--all", "--force"], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The reference corpus of real models."""
    named = os.environ.get("EFFIGY_CORPUS")
    folder = Path(named) if named else ROOT.parent / "shared" / "corpus"
    found = (folder / "index.tsv").is_file()
    assert found or named is None, f"EFFIGY_CORPUS names {folder}, which has no index.tsv"
    require("corpus", found, "there is no corpus of real models (set EFFIGY_CORPUS)")
    return folder
