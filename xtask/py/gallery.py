"""Lays our pictures beside those of other viewers.

    python gallery.py EFFIGY MODELS REFERENCE OUT

REFERENCE holds a folder per viewer with pairs NAME.png and NAME.json; the JSON names the model (below MODELS), the camera
(eye, target) and the sequence, half a second into which the picture was taken. OUT receives our picture of each model and,
per viewer, contact sheets VIEWER-N.png with the viewer's picture on the left and ours on the right, and prints the mean
difference of the pixels (0 to 255) for each pair.

Needs Pillow.
"""

import json
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageStat

SIDE = 256
COLUMNS = 3
ROWS = 4
LABEL = 14


def point(values):
    return ",".join(f"{value:.4f}" for value in values)


def draw(effigy, model, description, out):
    camera = description["camera"]
    words = [effigy, "render", str(model), "-o", str(out), "--force", "--quiet", "--background", "#404040"]
    words.append(f"--camera={point(camera['eye'])}:{point(camera['target'])}")
    words += ["--size", f"{camera['width']}x{camera['height']}", "--time", "0.5"]
    sequence = (description.get("sequence") or {}).get("name")
    if sequence:
        words += ["--anim", sequence]
    return subprocess.run(words, check=False, capture_output=True, text=True)


def sheet(pairs, path):
    width = COLUMNS * (2 * SIDE + 8)
    height = -(-len(pairs) // COLUMNS) * (SIDE + LABEL)
    image = Image.new("RGB", (width, height))
    pen = ImageDraw.Draw(image)
    for index, (name, left, right) in enumerate(pairs):
        x = index % COLUMNS * (2 * SIDE + 8)
        y = index // COLUMNS * (SIDE + LABEL)
        image.paste(left.resize((SIDE, SIDE)), (x, y))
        image.paste(right.resize((SIDE, SIDE)), (x + SIDE, y))
        pen.text((x, y + SIDE), name[-80:], fill=(255, 255, 255))
    image.save(path)


def main():
    effigy, models, reference, out = sys.argv[1], *map(Path, sys.argv[2:5])
    failed = 0
    for viewer in sorted(folder for folder in reference.iterdir() if folder.is_dir()):
        pairs = []
        for file in sorted(viewer.glob("*.json")):
            description = json.loads(file.read_text())
            theirs = file.with_suffix(".png")
            if "camera" not in description or not theirs.exists():
                continue
            ours = out / viewer.name / theirs.name
            ours.parent.mkdir(parents=True, exist_ok=True)
            done = draw(effigy, models / description["model"], description, ours)
            if done.returncode:
                failed += 1
                print(f"{viewer.name}  {description['model']}: {done.stderr.strip()}")
                continue
            left, right = (Image.open(path).convert("RGB") for path in (theirs, ours))
            if left.size != right.size:
                left = left.resize(right.size)
            mean = sum(ImageStat.Stat(ImageChops.difference(left, right)).mean) / 3
            print(f"{viewer.name}  {mean:6.2f}  {description['model']}")
            pairs.append((description["model"], left, right))
        for number in range(0, len(pairs), COLUMNS * ROWS):
            path = out / f"{viewer.name}-{number // (COLUMNS * ROWS)}.png"
            sheet(pairs[number : number + COLUMNS * ROWS], path)
            print(f"wrote {path}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
