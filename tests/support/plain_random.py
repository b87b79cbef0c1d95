"""The random numbers of kasen/base/random.h in plain Python."""
MASK = 2**64 - 1


def random_bits(seed, counter):
    """splitmix64"""
    x = (seed * 0x9E3779B97F4A7C15 + counter + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def random_unit(seed, counter):
    return (random_bits(seed, counter) >> 11) * 2.0**-53
