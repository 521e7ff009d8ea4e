"""Writes exact_sums.tsv: columns of doubles that are hard to sum, with their exact statistics, each rounded once.

A line: values; sum; sum of squares; average; variance of a sample; standard deviation. Doubles are bit patterns in
hexadecimal; what is beyond all doubles is infinite. Where math.fsum does not overflow, it must agree.
"""
import fractions
import math
import random
import struct
import sys

random.seed(20)


def bits(value):
    return "%016x" % struct.unpack("<Q", struct.pack("<d", value))[0]


def rounded(fraction):
    try:
        return float(fraction)
    except OverflowError:
        return math.inf if fraction > 0 else -math.inf


def root(fraction):
    """The double nearest to the square root, by exact comparison with the middle between two neighbours."""
    if fraction == 0:
        return 0.0
    shift = 2 * ((fraction.numerator.bit_length() - fraction.denominator.bit_length()) // 2 - 70)
    scaled = fraction / fractions.Fraction(2) ** shift
    guess = rounded(fractions.Fraction(math.isqrt(int(scaled))) * fractions.Fraction(2) ** (shift // 2))
    candidates = [math.nextafter(guess, 0), guess, math.nextafter(guess, math.inf)]
    for low, high in zip(candidates, candidates[1:]):
        middle = (fractions.Fraction(low) + fractions.Fraction(high)) / 2
        if fraction < middle**2 or fraction == middle**2 and struct.pack(">d", low)[-1] % 2 == 0:
            return low
    return candidates[-1]


def column(kind):
    count = random.randint(2, 60)
    any_bits = lambda: struct.unpack("<d", struct.pack("<Q", random.getrandbits(64)))[0]
    sign = lambda: random.choice((-1.0, 1.0))
    if kind == 0:  # all of the range
        values = [any_bits() for _ in range(count)]
    elif kind == 1:  # terms that cancel but for a small rest
        half = [sign() * random.random() * 2.0 ** random.randint(-60, 900) for _ in range(count // 2)]
        values = half + [-value for value in half] + [random.random() * 2.0 ** random.randint(-1000, 0)]
    elif kind == 2:  # near the greatest double
        values = [sign() * sys.float_info.max * random.choice((1, 0.5, 0.75, 1e-16)) for _ in range(count)]
    elif kind == 3:  # subnormal
        values = [sign() * 5e-324 * random.getrandbits(random.randint(1, 52)) for _ in range(count)]
    elif kind == 4:  # halfway between doubles
        values = [1.0, 2.0**-53, sign() * 2.0 ** random.randint(-1074, -54)] + [0.0, -0.0] * (count % 5)
    elif kind == 5:  # nearly equal, so that the variance cancels
        values = [1e8 + random.randint(0, 3) * 2.0**-20 for _ in range(count)]
    elif kind == 6:  # decimals
        values = [round(random.lognormvariate(8, 3), 2) for _ in range(count)]
    else:  # whole numbers and powers of two far apart
        values = [sign() * 2.0 ** random.randint(-1074, 1023) for _ in range(count)]
    random.shuffle(values)
    return [value for value in values if math.isfinite(value)] or [0.0, 1.0]


for index in range(200):
    values = column(index % 8)
    exact = [fractions.Fraction(value) for value in values]
    total, squares, count = sum(exact), sum(value * value for value in exact), len(exact)
    try:
        assert math.fsum(values) == rounded(total)
    except OverflowError:
        pass
    statistics = [rounded(total), rounded(squares), rounded(total / count)]
    if count > 1:
        variance = (count * squares - total * total) / (count * (count - 1))
        statistics += [rounded(variance), root(variance)]
    print(" ".join(map(bits, values)), *map(bits, statistics), sep="\t")
