"""Models of the reference corpus, each in a Blender of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

# Models that cannot be the same, with the reason.
KNOWN = {
    "tests__fixtures__mdl__skin_v900.mdl": "its weights do not add up to 1, which Blender makes them do",
}
KNOWN_EXPORTS = KNOWN | {
    "etmain__models__multiplayer__secretdocs__secretdocs.md3": "it has more surfaces than the engine draws, and six are left out",
}
# How many sound models of each format and version are compared at most.
MANY = {"mdx": 8, "mdl": 4, "m2": 8, "mdc": 6, "md3": 4}
# The largest share of the size that a vertex may be off.
LIMIT = 1e-3
# Models that are compared at least.
FEWEST = 60


def chosen(folder: Path) -> list[Path]:
    """Models spread over the formats and versions."""
    lines = (folder / "index.tsv").read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    kinds: dict[tuple[str, str], list[str]] = {}
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t")))
        if row["format"] in MANY and not row["problem"] and row["version"] != "record":
            kinds.setdefault((row["format"], row["version"]), []).append(row["local"])
    found = []
    for (kind, _), paths in sorted(kinds.items()):
        step = max(1, len(paths) // MANY[kind])
        found += [folder / path for path in paths[::step][: MANY[kind]]]
    return found


def compare_all(
    script: str, folder: Path, judge: Callable[[dict[str, Any]], str | None], known: dict[str, str] = KNOWN
) -> bool:
    """Gives each model to a script that prints a line of JSON about it. What crashes Blender is one line of the result."""
    compared = failed = 0
    for path in chosen(folder):
        run = subprocess.run([sys.executable, script, str(path)], capture_output=True, text=True, timeout=300)
        lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
        line = json.loads(lines[-1]) if lines else {"error": f"Blender ended with {run.returncode}"}
        if "nothing to draw without" in line.get("error", ""):
            continue
        compared += 1
        wrong = judge(line)
        if wrong and path.name not in known:
            failed += 1
            print(f"{path.name}: {wrong}")
    print(f"{bpy.app.version_string}: {compared} models compared, {failed} failed")
    return failed == 0 and compared >= FEWEST
