"""Installs the extension into a fresh user folder of Blender, imports models of Warcraft III 800 with it as a user would, and exports them.

    python installed.py EXTENSION.zip MODEL...
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()

import bpy  # noqa: E402, I001 - the modules of Blender are found once it runs
import addon_utils  # noqa: E402


def main() -> None:
    """Fails with a message where anything is not as it should be."""
    extension, *models = sys.argv[1:]
    addon_utils.enable("bl_pkg", default_set=True, persistent=True)
    bpy.ops.extensions.package_install_files(
        filepath=extension, repo="user_default", enable_on_install=True
    )
    assert hasattr(bpy.types, "IMPORT_SCENE_OT_effigy"), "the operator is not registered"
    assert hasattr(bpy.types, "EFFIGY_FH_model"), "files cannot be dropped"
    for path in models:
        for made in list(bpy.data.objects):
            bpy.data.objects.remove(made)
        result = bpy.ops.import_scene.effigy(filepath=path)
        assert result == {"FINISHED"}, f"{path}: {result}"
        meshes = [made for made in bpy.data.objects if made.type == "MESH"]
        armatures = [made for made in bpy.data.objects if made.type == "ARMATURE"]
        assert len(armatures) == 1 and meshes, f"{path}: {len(armatures)} armatures, {len(meshes)} meshes"
        bpy.context.view_layer.objects.active = armatures[0]
        mine = [one for one in bpy.data.actions if one.get("effigy_model") == armatures[0]["effigy_id"]]
        if mine:
            assert bpy.ops.effigy.play(action=mine[-1].name) == {"FINISHED"}
            assert armatures[0].animation_data.action == mine[-1]
        written = Path(tempfile.mkdtemp()) / "again.mdx"
        result = bpy.ops.export_scene.effigy(filepath=str(written), version="800")
        assert result == {"FINISHED"}, f"{path}: {result}"
        assert written.read_bytes() == Path(path).read_bytes(), f"{path}: an untouched model is another file"
        result = bpy.ops.export_scene.effigy(filepath=str(written.with_suffix(".mdl")), unchanged=False)
        assert result == {"FINISHED"} and written.with_suffix(".mdl").stat().st_size > 1000, f"{path}: {result}"
    try:
        bpy.ops.import_scene.effigy(filepath=__file__)
    except RuntimeError as error:
        assert "not a model" in str(error), error
    else:
        raise AssertionError("a file that is not a model was imported")
    print(f"{bpy.app.version_string}: {len(models)} models imported and exported")


if __name__ == "__main__":
    main()
