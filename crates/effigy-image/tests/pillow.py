"""Compares decoded textures with Pillow's.

Reads lines `texture<TAB>width<TAB>height<TAB>pixels` from the file named on the command line, where `pixels` is a file
of RGBA bytes, and prints a line for each texture that differs by more than the tolerance. Exits with status 1 if any
does, if Pillow cannot read one, or if there are none.

Pillow's own BLP reader is known to be wrong for some files (see docs/textures.md). Its other decoders are used instead:
the JPEG decoder for the streams inside BLP1, the DDS decoder for the blocks inside BLP2.
"""

import io
import struct
import sys

from PIL import Image, JpegImagePlugin

Image.MAX_IMAGE_PIXELS = None


def blp_level(data):
    """Offset and size of the first level; the table of sizes follows the table of 16 offsets."""
    start = 28 if data[3:4] == b"1" else 20
    offset = struct.unpack_from("<I", data, start)[0]
    size = struct.unpack_from("<I", data, start + 64)[0]
    return offset, size


def blp1_jpeg(data):
    """The four channels of the stream, decoded with libjpeg; blue is the first."""
    length = struct.unpack_from("<I", data, 156)[0]
    offset, size = blp_level(data)
    stream = data[160 : 160 + length] + data[offset : offset + size]
    image = JpegImagePlugin.JpegImageFile(io.BytesIO(stream))
    tile = image.tile[0]
    image.tile = [tile._replace(args=("CMYK", "CMYK"))]
    blue, green, red, alpha = image.split()
    if struct.unpack_from("<I", data, 8)[0] == 0:
        alpha = Image.new("L", image.size, 255)
    return Image.merge("RGBA", (red, green, blue, alpha))


def blp_palette(data, width, height):
    """Indices and alpha, parsed here, because Pillow ignores the alpha of the file."""
    first = data[3:4] == b"1"
    bits = struct.unpack_from("<I", data, 8)[0] if first else data[9]
    start = 156 if first else 148
    colors = [data[start + 4 * i : start + 4 * i + 3] for i in range(256)]
    offset, size = blp_level(data)
    count = width * height
    indices = data[offset : offset + count]
    alpha = data[offset + count : offset + max(size, count)]
    if len(alpha) * 8 < count * bits:
        bits = 0
    out = bytearray()
    for at, index in enumerate(indices):
        blue, green, red = colors[index]
        if bits == 8:
            over = alpha[at]
        elif bits == 4:
            over = (alpha[at // 2] >> (at % 2 * 4) & 15) * 17
        elif bits == 1:
            over = (alpha[at // 8] >> (at % 8) & 1) * 255
        else:
            over = 255
        out += bytes((red, green, blue, over))
    return Image.frombytes("RGBA", (width, height), bytes(out))


def blp2_blocks(data, width, height):
    """The blocks of the first level, wrapped in a DDS."""
    bits, kind = data[9], data[10]
    code = b"DXT5" if kind == 7 else b"DXT1" if bits < 2 else b"DXT3"
    offset, _ = blp_level(data)
    size = (width + 3) // 4 * ((height + 3) // 4) * (8 if code == b"DXT1" else 16)
    head = struct.pack("<4s7I44x2I4s5I5I", b"DDS ", 124, 0x81007, height, width, size, 0, 1,
                       32, 4, code, 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0)
    image = Image.open(io.BytesIO(head + data[offset : offset + size])).convert("RGBA")
    if bits == 0:
        image.putalpha(255)
    return image


def pillow(path, width, height):
    """Pillow's image and the tolerance."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"BLP1":
        if struct.unpack_from("<I", data, 4)[0] == 0:
            return blp1_jpeg(data), 2
        return blp_palette(data, width, height), 0
    if data[:4] == b"BLP2":
        if data[8] == 1:
            return blp_palette(data, width, height), 0
        if data[8] == 2:
            return blp2_blocks(data, width, height), 2
        offset, size = blp_level(data)
        return Image.frombytes("RGBA", (width, height), data[offset : offset + size], "raw", "BGRA"), 0
    image = Image.open(io.BytesIO(data))
    blocks = image.format in ("DDS", "JPEG")
    return image.convert("RGBA"), 2 if blocks else 0


def main():
    compared = wrong = unread = 0
    largest = {}
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            path, width, height, pixels = line.rstrip("\n").split("\t")
            width, height = int(width), int(height)
            try:
                theirs, allowed = pillow(path, width, height)
                theirs.load()
            except Exception as error:  # Pillow raises many types.
                print(f"unread by Pillow: {path}: {error}")
                unread += 1
                continue
            with open(pixels, "rb") as file:
                ours = Image.frombytes("RGBA", (width, height), file.read())
            compared += 1
            if theirs.size != ours.size:
                print(f"WRONG: {path}: {ours.size} instead of {theirs.size}")
                wrong += 1
                continue
            a, b = ours.tobytes(), theirs.tobytes()
            most = 0 if a == b else max(map(lambda pair: abs(pair[0] - pair[1]), zip(a, b)))
            kind = path.rsplit(".", 1)[-1].lower()
            largest[kind] = max(largest.get(kind, 0), most)
            if most > allowed:
                print(f"WRONG: {path}: differs by {most}, {allowed} allowed")
                wrong += 1
    print(f"{compared} compared, {wrong} wrong, {unread} unread by Pillow, largest differences {largest}")
    sys.exit(1 if wrong or unread or not compared else 0)


main()
