"""Builds the extension with Blender's own tool, which comes with PyPI's bpy.

    python build.py WHEEL... --into FOLDER

The library is inside as the wheels that are given: one for each system that the extension is for. The result is checked.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEFT_OUT = shutil.ignore_patterns("__pycache__", "tests", "build.py", "wheels", "*.zip")


def tool() -> Path:
    """Blender's program for extensions."""
    import bpy

    found = Path(bpy.utils.system_resource("SCRIPTS")) / "addons_core/bl_pkg/cli/blender_ext.py"
    if not found.is_file():
        raise SystemExit("this bpy has no blender_ext.py")
    return found


def build(wheels: list[Path], into: Path) -> Path:
    """The path of the extension."""
    program = tool()
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "effigy"
        shutil.copytree(HERE, source, ignore=LEFT_OUT)
        (source / "wheels").mkdir()
        for wheel in wheels:
            shutil.copy(wheel, source / "wheels")
        names = "".join(f'  "./wheels/{wheel.name}",\n' for wheel in wheels)
        manifest = source / "blender_manifest.toml"
        text = manifest.read_text(encoding="utf-8")
        # The list belongs to the top of the file, before its first table.
        top, rest = text.split("\n[", 1)
        manifest.write_text(f"{top}\nwheels = [\n{names}]\n\n[{rest}", encoding="utf-8")
        build = ["build", "--source-dir", str(source), "--output-dir", str(into)]
        subprocess.run([sys.executable, str(program), *build], check=True)
    made = max(into.glob("effigy-*.zip"), key=lambda path: path.stat().st_mtime)
    subprocess.run([sys.executable, str(program), "validate", str(made)], check=True)
    return made


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument("--into", type=Path, required=True)
    chosen = parser.parse_args()
    print(build(chosen.wheels, chosen.into))


if __name__ == "__main__":
    main()
