"""Textures, archives, the game's files, and pictures."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from conftest import require
from handmade import MDL

import pyeffigy


def png_pixels(content: bytes) -> npt.NDArray[np.uint8]:
    """Decodes a PNG of 8 bits a channel without interlacing."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, width, height, channels = 8, b"", 0, 0, 0
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", body)
            assert depth == 8
            channels = {2: 3, 6: 4}[color]
        if kind == b"IDAT":
            data += body
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    pixels = np.zeros((height, width * channels), np.int32)
    for y, row in enumerate(rows):
        above = pixels[y - 1] if y else np.zeros(width * channels, np.int32)
        for x, value in enumerate(row[1:]):
            left = pixels[y, x - channels] if x >= channels else 0
            corner = above[x - channels] if x >= channels else 0
            up = above[x]
            estimate = left + up - corner
            paeth = min((abs(estimate - one), order, one) for order, one in enumerate((left, up, corner)))[2]
            pixels[y, x] = (int(value) + (0, left, up, (left + up) // 2, paeth)[row[0]]) & 255
    return pixels.reshape(height, width, channels).astype(np.uint8)


def tga(width: int, height: int, bgra: bytes) -> bytes:
    """A TGA of 32 bits a pixel, from the top."""
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, 32, 0x28) + bgra


PIXELS = tga(2, 1, bytes([3, 2, 1, 255, 30, 20, 10, 128]))


def test_a_texture_has_the_pixels_of_its_file(tmp_path: Path) -> None:
    image = pyeffigy.read_texture(PIXELS)
    np.testing.assert_array_equal(image.pixels, [[[1, 2, 3, 255], [10, 20, 30, 128]]])
    assert (image.width, image.height, image.levels, image.has_alpha) == (2, 1, 1, True)
    assert "TGA" in image.stored and "2 x 1" in repr(image)
    path = tmp_path / "two.tga"
    path.write_bytes(PIXELS)
    np.testing.assert_array_equal(pyeffigy.read_texture(path).pixels, image.pixels)
    with pytest.raises(pyeffigy.EffigyError):
        pyeffigy.read_texture(b"not a texture at all, however long it is")
    with pytest.raises(FileNotFoundError):
        pyeffigy.read_texture(tmp_path / "three.tga")


def test_an_image_is_its_own_array() -> None:
    image = pyeffigy.read_texture(PIXELS)
    array = np.asarray(image)
    assert np.shares_memory(array, image.pixels) and not array.flags.writeable
    del image
    np.testing.assert_array_equal(array[0, 0], [1, 2, 3, 255])


def test_an_image_is_shown_and_saved(tmp_path: Path) -> None:
    image = pyeffigy.read_texture(PIXELS)
    np.testing.assert_array_equal(png_pixels(image._repr_png_()), image.pixels)
    np.testing.assert_array_equal(png_pixels(image.encode()), image.pixels)
    image.save(tmp_path / "two.png")
    np.testing.assert_array_equal(pyeffigy.read_texture(tmp_path / "two.png").pixels, image.pixels)
    image.save(tmp_path / "two.blp", encoding="blp1-palette")
    assert (tmp_path / "two.blp").read_bytes()[:4] == b"BLP1"
    with pytest.raises(pyeffigy.UsageError):
        image.save(tmp_path / "two.gif")
    with pytest.raises(pyeffigy.UsageError):
        image.encode("bmp")


def test_mip_levels_are_arrays() -> None:
    image = pyeffigy.read_texture(pyeffigy.read_texture(tga(4, 2, bytes(range(32)))).encode("blp1-palette"))
    assert image.levels == 3
    assert [image.level(level).shape for level in range(3)] == [(2, 4, 4), (1, 2, 4), (1, 1, 4)]
    with pytest.raises(IndexError):
        image.level(3)


def archive() -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as pk3:
        pk3.writestr("models/handmade.mdl", MDL)
        pk3.writestr("models/handmade.tga", PIXELS)
    return into.getvalue()


def test_archives_are_listed_and_read(tmp_path: Path) -> None:
    path = tmp_path / "pak0.pk3"
    path.write_bytes(archive())
    for opened in (pyeffigy.Archive(path), pyeffigy.Archive(archive())):
        assert list(opened) == ["models/handmade.mdl", "models/handmade.tga"] and len(opened) == 2
        assert [(one.name, one.size, one.named) for one in opened.list()] == [
            ("models/handmade.mdl", len(MDL), True),
            ("models/handmade.tga", len(PIXELS), True),
        ]
        assert opened.read("MODELS\\Handmade.mdl") == MDL
        assert "models/handmade.mdl" in opened and "nothing" not in opened
        with pytest.raises(KeyError):
            opened.read("nothing")
        assert opened.open("models/handmade.mdl").name == "Handmade"
    assert pyeffigy.open(f"{path}:models/handmade.mdl").name == "Handmade"
    assert pyeffigy.find(path) == (f"{path}:models/handmade.mdl",)
    np.testing.assert_array_equal(
        pyeffigy.read_texture(f"{path}:models/handmade.tga").pixels, pyeffigy.read_texture(PIXELS).pixels
    )
    with pytest.raises(pyeffigy.UnsupportedError):
        pyeffigy.Archive(MDL)


def test_textures_are_found_among_the_games_files(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    (folder / "Textures").mkdir(parents=True)
    (folder / "Textures" / "Handmade.tga").write_bytes(PIXELS)
    model = pyeffigy.open(MDL, name="handmade.mdl")
    assert model.find_textures() == (None,) and model.texture(0) is None
    for assets in (folder, [folder], pyeffigy.Assets(folder), {"textures/handmade.tga": PIXELS}):
        model = pyeffigy.open(MDL, name="handmade.mdl", assets=assets)
        image = model.texture(0)
        assert image is not None and model.find_textures() != (None,)
        np.testing.assert_array_equal(image.pixels, pyeffigy.read_texture(PIXELS).pixels)
    with pytest.raises(pyeffigy.UsageError, match="no texture 7"):
        model.texture(7)
    assets = pyeffigy.Assets(folder)
    assert assets.read("textures\\handmade.TGA") == PIXELS and assets.read("nothing") is None
    found = assets.find("Textures/Handmade.tga")
    assert found is not None and Path(found.replace(f"{folder}:", f"{folder}/")).read_bytes() == PIXELS
    with pytest.raises(pyeffigy.MissingFileError):
        pyeffigy.Assets(tmp_path / "nowhere")


def picture(model: pyeffigy.Model, **options: object) -> pyeffigy.Image:
    try:
        return model.render(**options)  # type: ignore[arg-type]
    except pyeffigy.EffigyError as error:
        require("gpu", "graphics" not in str(error) and "adapter" not in str(error), str(error))
        raise


def test_a_picture_shows_the_model(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    image = picture(model, size=(96, 64), background="transparent")
    assert image.pixels.shape == (64, 96, 4)
    alpha = image.pixels[..., 3]
    # The model is in the middle and leaves the corners free.
    assert alpha[28:36, 44:52].min() > 200
    assert alpha[0, 0] == alpha[0, -1] == alpha[-1, 0] == alpha[-1, -1] == 0
    assert png_pixels(image._repr_png_()).shape == (64, 96, 4)
    red = picture(model, size=64, background="#ff0000", shadow=False)
    np.testing.assert_array_equal(red.pixels[0, 0], [255, 0, 0, 255])
    # Another camera, another moment and another player are other pictures.
    plain = picture(model, size=64)
    for options in ({"camera": "side"}, {"sequence": "Death", "time": "100%"}, {"team_color": "teal"}, {"overlays": "bones"}):
        assert not np.array_equal(picture(model, size=64, **options).pixels, plain.pixels), options
    near = picture(model, size=64, camera=((300.0, 0.0, 60.0), (0.0, 0.0, 40.0)))
    assert not np.array_equal(near.pixels, plain.pixels)
    sheet = picture(model, size=32, sheet=True)
    assert sheet.width * sheet.height > 32 * 32 * len(model.sequences)


def test_a_picture_of_nonsense_is_an_error(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    for options in ({"size": 0}, {"background": "mauve"}, {"team_color": 99}, {"overlays": "teeth"}, {"time": -1}):
        with pytest.raises(pyeffigy.UsageError):
            model.render(**options)
