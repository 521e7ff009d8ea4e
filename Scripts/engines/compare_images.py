"""Compares two images, and prints how many pixels differ by how much.

compare_images.py FIRST SECOND
"""
import sys

import numpy
from PIL import Image

first, second = (numpy.asarray(Image.open(name).convert("RGB")).astype(int) for name in sys.argv[1:3])
steps = numpy.bincount(abs(first - second).max(axis=2).ravel())
print(f"{steps.sum()} pixels; differing by 1, 2, … of 255: {', '.join(map(str, steps[1:])) or 'none'}", file=sys.stderr)
# Without transparent symbols; see the guide's article on partitions.
if len(steps) > 3:
    sys.exit("the images differ by more than 2 of 255")
