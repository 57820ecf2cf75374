"""What checks, repairs, conversions and archives return."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import Literal

from .errors import UsageError

__all__ = ["Applied", "Column", "Converted", "Diagnostic", "Entry", "Finding", "Note", "Verdict"]


@dataclass(frozen=True)
class Finding:
    """Something that ``Model.check`` found."""

    code: str
    """The stable code of the rule, such as ``MDX2007``; ``effigy check --explain`` says more about it."""
    severity: Literal["unused", "note", "warning", "severe", "error"]
    """How much it matters, from ``unused`` to ``error``."""
    title: str
    """The title of the rule."""
    path: str
    """The path inside the model, such as ``BONE[3].node.tracks.KGTR``; empty for the model as a whole."""
    offset: int | None
    """The offset of that field in the file, where it is known."""
    line: tuple[int, int] | None
    """Line and column in a text file, both from 1."""
    message: str
    """What was found there."""
    fixable: bool
    """Whether ``Model.fix`` repairs it."""


@dataclass(frozen=True)
class Diagnostic:
    """Something that the reader noticed."""

    code: str
    """Its stable code."""
    severity: Literal["unused", "note", "warning", "severe", "error"]
    """How much it matters, from ``unused`` to ``error``."""
    path: str
    """The path inside the file; may be empty."""
    offset: int | None
    """The offset in the file, where one is known."""
    line: tuple[int, int] | None
    """Line and column in a text file, both from 1."""
    message: str
    """What was found, and what it means."""


@dataclass(frozen=True)
class Applied:
    """One repair of ``Model.fix``."""

    code: str
    """The rule whose finding it removes."""
    path: str
    """Where."""
    message: str
    """What was done."""


@dataclass(frozen=True)
class Note:
    """One line of the report of a conversion. A conversion without notes lost nothing."""

    outcome: Literal["kept aside", "rebuilt", "approximated", "dropped"]
    """What happened to it."""
    path: str
    """Where it is in the source model."""
    message: str
    """Details, and why."""

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.outcome}: {self.path}: {self.message}"


@dataclass(frozen=True)
class Converted:
    """The files of a conversion."""

    data: bytes
    """The main file."""
    companions: dict[str, bytes]
    """The files that belong next to it, by file name."""
    report: tuple[Note, ...]
    """What did not arrive as it was."""

    def save(self, path: str | Path) -> None:
        """Writes the main file, and the others below the same folder. These have the names that ``convert`` gave them."""
        path = Path(path)
        for name, content in self.companions.items():
            # The names of textures come from the model, which may be hostile.
            parts = PureWindowsPath(name)
            if parts.anchor or ".." in parts.parts:
                raise UsageError(f"{name} is not below the folder of {path}", code="usage", file=str(path))
            companion = path.parent.joinpath(*parts.parts)
            companion.parent.mkdir(parents=True, exist_ok=True)
            companion.write_bytes(content)
        path.write_bytes(self.data)


@dataclass(frozen=True)
class Verdict:
    """Whether a model gives back the bytes that it was read from."""

    status: Literal["identical", "guarded", "opaque", "different"]
    """``identical``: by its values alone. ``guarded`` and ``opaque``: with bytes that were kept. ``different``: no; a bug."""
    guarded: tuple[str, ...]
    """Parts whose values do not reproduce their bytes."""
    opaque: tuple[str, ...]
    """Parts that could not be decoded."""


@dataclass(frozen=True)
class Entry:
    """A file in an archive."""

    name: str
    """Its name, with ``/`` between parts."""
    size: int
    """Its size in bytes, unpacked."""
    stored: int
    """The bytes that it takes in the archive."""
    named: bool
    """Whether its name is known; otherwise it is made up."""


@dataclass(frozen=True)
class Column:
    """A column of a catalogue, or a field of the records in one."""

    name: str
    """Its name: the key in the dictionaries of ``catalog``."""
    kind: Literal["text", "int", "float", "double", "bool", "bytes", "texts", "records"]
    """Its type: whole numbers have 64 bits, ``float`` has 32 and ``double`` 64; ``texts`` and ``records`` are lists."""
    optional: bool
    """Whether it may be None."""
    about: str
    """What is in it; empty for a field."""
    fields: tuple[Column, ...]
    """The fields of the records in the list; empty for other types."""
