"""Exceptions. All of them are an :class:`EffigyError`."""

from __future__ import annotations


__all__ = [
    "EffigyError",
    "ExistsError",
    "IoError",
    "LimitError",
    "MalformedError",
    "MissingFileError",
    "UnrepresentableError",
    "UnsupportedError",
    "UsageError",
]


class EffigyError(Exception):
    """Something could not be done. The text says where and why."""

    code: str
    """The category: io, malformed, unsupported, limit, unrepresentable, usage or exists."""
    offset: int | None
    """Where in the file, in bytes."""
    line: tuple[int, int] | None
    """Where in a text file: line and column, both from 1."""
    path: str
    """The path inside the file, such as ``GEOS[0].PVTX``; empty at the top."""
    hint: str | None
    """What can be done about it, where that is known. Tracebacks show it."""
    file: str | None
    """The file, as the caller named it."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        offset: int | None = None,
        line: tuple[int, int] | None = None,
        path: str = "",
        hint: str | None = None,
        file: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.offset = offset
        self.line = line
        self.path = path
        self.hint = hint
        self.file = file
        if hint is not None:
            self.add_note(hint)

    def __str__(self) -> str:
        return str(self.args[0])


class IoError(EffigyError, OSError):
    """The system could not read or write."""


class MissingFileError(IoError, FileNotFoundError):
    """There is no such file."""


class MalformedError(EffigyError, ValueError):
    """The file breaks its format."""


class UnsupportedError(EffigyError):
    """The file may be valid, but this kind of file, conversion or edit is not supported."""


class LimitError(EffigyError):
    """The file asks for more than is allowed."""


class UnrepresentableError(EffigyError):
    """The target format or version cannot hold this."""


class UsageError(EffigyError, ValueError):
    """The request itself is not valid."""


class ExistsError(EffigyError, FileExistsError):
    """A file is there already and may not be replaced."""
