"""Every public name is documented, and every example in the documentation and the folder of examples runs."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import re
import runpy
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT, require

import pyeffigy

EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


def public(owner: object, name: str) -> list[tuple[str, object]]:
    """A public object with its public members."""
    found = [(name, owner)]
    if inspect.ismodule(owner):
        for member in owner.__all__:
            found += public(getattr(owner, member), f"{name}.{member}")
    elif inspect.isclass(owner):
        for member, value in vars(owner).items():
            described = callable(value) or isinstance(value, property) or inspect.isdatadescriptor(value)
            is_field = member in getattr(owner, "__dataclass_fields__", {})
            if not member.startswith("_") and described and not is_field:
                found.append((f"{name}.{member}", value))
    return found


def test_every_public_name_has_a_docstring() -> None:
    names = public(pyeffigy, "pyeffigy")
    assert len(names) > 100
    for name, value in names:
        if not isinstance(value, ModuleType) and not callable(value) and not inspect.isdatadescriptor(value):
            continue
        text = inspect.getdoc(value)
        assert text, f"{name} is not documented"
        # A dataclass without a text gets its signature.
        assert not text.startswith(f"{name.rsplit('.', 1)[-1]}("), f"{name} is not documented"


def test_every_field_of_every_dataclass_is_explained() -> None:
    for module in (pyeffigy.summary, pyeffigy.results, pyeffigy.scene, pyeffigy.pose):
        for name in module.__all__:
            owner = getattr(module, name)
            if not dataclasses.is_dataclass(owner):
                continue
            source = inspect.getsource(owner)
            for field in dataclasses.fields(owner):
                explained = rf'^    {field.name}: (?:[^\n]+|[^\n]*\[\n(?:        [^\n]*\n)*    \])\n    """'
                assert re.search(explained, source, re.MULTILINE), f"{name}.{field.name} is not explained"


def blocks(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_documentation_run(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in samples.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    shutil.copytree(samples / "scripts", tmp_path / "scripts")
    # The names that the short examples use.
    shutil.copy(samples / "mdx-800-creature.mdx", tmp_path / "footman.mdx")
    for path in samples.glob("m2-264-creature*"):
        shutil.copy(path, tmp_path / path.name.replace("m2-264-creature", "Imp"))
    monkeypatch.chdir(tmp_path)
    pages = [ROOT / "README.md", ROOT / "python" / "README.md", ROOT / "docs" / "python.md"]
    code = [block for page in pages for block in blocks(page)]
    assert len(code) >= 10
    namespace: dict[str, object] = {}
    for number, block in enumerate(code):
        if "render(" in block:
            try:
                pyeffigy.open("chest.mdc").render(8)
            except pyeffigy.EffigyError as error:
                require("gpu", False, str(error))
        exec(compile(block, f"example {number + 1}", "exec"), namespace)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(
    example: Path, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if example.name.startswith("ray"):
        require("ray", importlib.util.find_spec("ray") is not None, "ray cannot be imported (pip install 'ray[data]')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(example), str(samples)])
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
