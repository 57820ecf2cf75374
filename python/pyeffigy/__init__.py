"""Effigy for Python: open, explain, check, repair, animate, draw and convert classic game models.

>>> import pyeffigy
>>> model = pyeffigy.open("footman.mdx")                        # doctest: +SKIP
>>> model.summary.vertices, [one.name for one in model.sequences]  # doctest: +SKIP
>>> model.convert("glb").save("footman.glb")                    # doctest: +SKIP

Warcraft III (MDX, MDL), World of Warcraft (MDX of the alpha, M2 to Wrath), Return to Castle Wolfenstein and Enemy Territory (MDC,
MD3, MDS, MDM, MDX), and glTF 2.0.
"""

from . import errors, pose, results, scene, summary
from ._pyeffigy import (
    Archive,
    Assets,
    CatalogRows,
    Image,
    Model,
    catalog,
    catalog_columns,
    catalog_row,
    find,
    make,
    open,
    read_texture,
)
from .errors import (
    EffigyError,
    ExistsError,
    IoError,
    LimitError,
    MalformedError,
    MissingFileError,
    UnrepresentableError,
    UnsupportedError,
    UsageError,
)

__all__ = [
    "Archive",
    "Assets",
    "CatalogRows",
    "EffigyError",
    "ExistsError",
    "Image",
    "IoError",
    "LimitError",
    "MalformedError",
    "MissingFileError",
    "Model",
    "UnrepresentableError",
    "UnsupportedError",
    "UsageError",
    "catalog",
    "catalog_columns",
    "catalog_row",
    "errors",
    "find",
    "make",
    "open",
    "pose",
    "read_texture",
    "results",
    "scene",
    "summary",
]
