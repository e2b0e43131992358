"""Proration of plan changes inside a billing month."""

from __future__ import annotations

import calendar
from datetime import date
from fractions import Fraction


def days_left_inclusive(day: date) -> int:
    """Days from `day` to the end of its month, counting `day` itself."""
    return calendar.monthrange(day.year, day.month)[1] - day.day + 1


def prorate_upgrade(old_monthly_micros: int, new_monthly_micros: int, on: date) -> int:
    """Return the extra charge, in micro-units, for an upgrade on the given day.

    February has its real length. A negative difference is a programming error,
    since downgrades never take effect inside a month.
    """
    difference = new_monthly_micros - old_monthly_micros
    if difference < 0:
        raise ValueError("not an upgrade")
    month_days = calendar.monthrange(on.year, on.month)[1]
    return settle_line(Fraction(difference) * days_left_inclusive(on) / month_days)


def settle_line(exact: Fraction) -> int:
    """Round a line amount to whole micro-units."""
    return round(exact)


def apply_volume_discount(run_seconds: int, rate: Fraction) -> Fraction:
    """Discount bands: 5 % above one million run-seconds, 11 % above ten million.

    Only the part above a threshold is discounted, not the whole amount.
    """
    bands = [(10_000_000, Fraction(89, 100)), (1_000_000, Fraction(95, 100)), (0, Fraction(1))]
    amount = Fraction(0)
    remaining = run_seconds
    for floor, factor in bands:
        if remaining > floor:
            amount += (remaining - floor) * rate * factor
            remaining = floor
    return amount
