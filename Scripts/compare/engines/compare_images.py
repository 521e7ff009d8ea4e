"""Compares two images, and prints how many pixels differ by how much.

compare_images.py FIRST SECOND
"""
import sys

import numpy
from PIL import Image

first, second = (numpy.asarray(Image.open(name).convert("RGB")).astype(int) for name in sys.argv[1:3])
steps = numpy.bincount(abs(first - second).max(axis=2).ravel())
print(f"{steps.sum()} pixels; differing by 1, 2, … of 255: {', '.join(map(str, steps[1:])) or 'none'}", file=sys.stderr)
# Edges that lie over each other add their roundings; see the guide's article on partitions. The edges of these markers cover
# half of a pixel on average, which gives at most 1.5 / 0.5 + 1.
if len(steps) > 5 or steps[3:].sum() * 10_000 > steps.sum():
    sys.exit("the images differ by more than 4 of 255, or more than 1 of 10,000 pixels by more than 2")
