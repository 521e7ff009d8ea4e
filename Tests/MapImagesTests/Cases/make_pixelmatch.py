"""Writes pixelmatch.tsv: what pixelmatch-fast (a port of pixelmatch 7.1; PyPI) counts on pictures made by a formula.

    python3 make_pixelmatch.py > pixelmatch.tsv     (needs pixelmatch-fast and Pillow)

The same formula stands in PerceptualTests.swift.
"""
from PIL import Image
from pixelmatch import pixelmatch


def picture(width, height, number, shift, tint, alpha):
    """Discs with soft edges over a ground, all in whole numbers."""
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            color = [240 - tint, 236, 230, 255]
            for disc in range(3):
                # A tenth of a pixel is the unit.
                cx = (number * 37 + disc * 211) % (width * 10) + (shift if disc == 1 else 0)
                cy = (number * 53 + disc * 97) % (height * 10)
                r = 40 + (number * 7 + disc * 29) % 60
                d2 = (x * 10 + 5 - cx) ** 2 + (y * 10 + 5 - cy) ** 2
                cover = max(0, min(255, ((r + 5) ** 2 - d2) * 255 // (20 * r)))
                ink = [(number * 91 + disc * 70) % 256, (disc * 120 + tint) % 256, (number * 13) % 256, alpha]
                color = [c + (i - c) * cover // 255 for c, i in zip(color, ink)]
            pixels += bytes(color)
    return Image.frombytes("RGBA", (width, height), bytes(pixels))


print("# width height number shift tint alpha thousandths includeAA count; by pixelmatch-fast 1.3.4, see make_pixelmatch.py")
for number in range(20):
    width, height = 30 + number % 7, 24 + number % 5
    for shift, tint, alpha in [(3, 0, 255), (0, 9, 255), (7, 2, 255), (2, 0, 120), (4, 5, 200)]:
        before = picture(width, height, number, 0, 0, alpha)
        after = picture(width, height, number, shift, tint, alpha)
        for thousandths in (20, 100):
            for aa in (False, True):
                count = pixelmatch(before, after, threshold=thousandths / 1000, includeAA=aa)
                print(width, height, number, shift, tint, alpha, thousandths, int(aa), count)
