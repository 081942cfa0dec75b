"""What was measured beside what is wanted, and the arithmetic behind it."""
import dataclasses
import math


@dataclasses.dataclass
class Figure:
    what: str
    value: float
    unit: str = ""
    most: float | None = None    # the goal: no more than that …
    least: float | None = None   # … or no less

    def goal(self) -> str:
        if self.most is not None:
            return f"≤ {number(self.most)}"
        return f"≥ {number(self.least)}" if self.least is not None else "-"

    def verdict(self) -> str:
        if self.most is None and self.least is None:
            return "-"
        holds = self.value <= self.most if self.most is not None else self.value >= self.least
        return "yes" if holds else "NO"


def number(value: float) -> str:
    """As exact as anybody wants to read it."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def lines(figures: list[Figure]) -> list[str]:
    """A table with its columns under each other."""
    rows = [("", "measured", "", "goal", "reached")]
    for each in figures:
        rows.append((each.what, number(each.value), each.unit, each.goal(), each.verdict()))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def percentile(values, percent: float) -> float:
    """By nearest rank: the least value that so many percent of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def most_within(times, seconds: float) -> int:
    """The largest number of these moments that fall within any span so long, its end not counted."""
    ordered, first, most = sorted(times), 0, 0
    for last, moment in enumerate(ordered):
        while moment - ordered[first] >= seconds:
            first += 1
        most = max(most, last - first + 1)
    return most
