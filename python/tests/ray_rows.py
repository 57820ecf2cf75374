"""Row functions for `test_ray.py` that misbehave at one file, and a job that uses them: `python ray_rows.py FOLDER OUT NOTES NAME DEED`."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyeffigy

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@dataclass
class RowFunction:
    """Makes rows, keeps a list of the files that it was called for, and does something else at one of them."""

    notes: Path
    """A folder for what it wants to tell."""
    name: str = ""
    """How the path of that file ends."""
    deed: str = ""
    """`die` each time, or `wait` once until somebody ends the process."""

    def __call__(self, path: str, failed: str | None = None) -> dict[str, Any]:
        if failed is None:
            with (self.notes / "called").open("a", encoding="utf-8") as list_of_calls:
                list_of_calls.write(f"{path}\n")
            if self.name and path.endswith(self.name):
                self.misbehave()
        return pyeffigy.catalog_row(path, failed=failed)

    def misbehave(self) -> None:
        if self.deed == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        waiting = self.notes / "waiting"
        if not waiting.exists():
            # Whole when it gets its name.
            (self.notes / "pid").write_text(str(os.getpid()), encoding="utf-8")
            (self.notes / "pid").rename(waiting)
            time.sleep(600)

    def calls(self) -> list[str]:
        """The files that it was called for so far, in that order."""
        return (self.notes / "called").read_text(encoding="utf-8").splitlines()


def main() -> None:
    sys.path.insert(0, str(EXAMPLES))
    import ray
    import ray_catalog

    folder, out, notes, name, deed = sys.argv[1:]
    ray.init()
    ray_catalog.run([folder], Path(out), row=RowFunction(Path(notes), name, deed), files=20)


if __name__ == "__main__":
    main()
