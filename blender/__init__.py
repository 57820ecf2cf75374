"""Effigy for Blender: imports and exports models of Warcraft III, World of Warcraft, Return to Castle Wolfenstein and Enemy Territory."""

from __future__ import annotations

import bpy

from . import export_model, import_model, panel

CLASSES = (*import_model.CLASSES, *export_model.CLASSES, *panel.CLASSES)


def register() -> None:
    """Called by Blender when the extension is switched on."""
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(import_model.menu)
    bpy.types.TOPBAR_MT_file_export.append(export_model.menu)


def unregister() -> None:
    """Called by Blender when the extension is switched off."""
    bpy.types.TOPBAR_MT_file_import.remove(import_model.menu)
    bpy.types.TOPBAR_MT_file_export.remove(export_model.menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
