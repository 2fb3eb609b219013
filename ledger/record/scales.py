"""The steps of a scale, for charts and distributions."""


def nice(value: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 and so on that is not less than a value."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= value:
                return digit * power
        power *= 10
