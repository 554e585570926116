"""Figures: the PDF has the text as text, the PNG its ink, one letter beside the other."""

import sys
from pathlib import Path

import pypdf
from PIL import Image

folder = Path(sys.argv[1])

page = pypdf.PdfReader(folder / "plot.pdf").pages[0]
text = page.extract_text()
for sign in "Aµ⁻⁶ωЖ−":
    assert sign in text.replace("μ", "µ"), (sign, text)
width, height = float(page.mediabox.width), float(page.mediabox.height)
assert abs(width / height - 3.0) < 1e-3, (width, height)

image = Image.open(folder / "plot.png").convert("L")
assert image.size == (600, 200), image.size
dark = [any(image.getpixel((x, y)) < 100 for y in range(200)) for x in range(600)]
letters = sum(1 for before, now in zip(dark, dark[1:]) if now and not before)
assert letters == len("Aµ⁻⁶ωЖ−"), letters
