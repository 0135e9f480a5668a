"""Making the shop: a seeded star schema whose totals are planted.

Planted: Central has 38 % of revenue over all and in the first quarter of 2026; West sold 12 % less in that
quarter than in the one before, and nobody else sold less; 6 % of East's orders of March 2026 have no amount.
Leaves to `writing` how the tables are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from agents.analyst.sources import arrow
from agents.analyst.sources.shop import names

SEED = 20_260_412
ORDERS = 48_213
CUSTOMERS = 2_000
QUIET_CUSTOMERS = 40
"""Customers at the end of the list who never ordered."""
QUIET_PRODUCTS = 2

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days and each region's revenue in it, in the order of `names.REGIONS`."""

    start: str
    end: str
    revenue: tuple[float, ...]


PERIODS = (
    Period("2024-01-01", "2024-04-01", (1_002_000, 585_000, 345_000, 232_000, 472_842)),
    Period("2024-04-01", "2024-07-01", (1_034_000, 604_000, 352_000, 238_000, 493_053)),
    Period("2024-07-01", "2024-10-01", (1_061_000, 622_000, 358_000, 244_000, 507_105)),
    Period("2024-10-01", "2025-01-01", (1_118_000, 671_000, 371_000, 257_000, 525_105)),
    Period("2025-01-01", "2025-04-01", (1_087_000, 640_000, 366_000, 250_000, 517_526)),
    Period("2025-04-01", "2025-07-01", (1_121_000, 668_000, 374_000, 259_000, 528_000)),
    Period("2025-07-01", "2025-10-01", (1_158_000, 699_000, 383_000, 268_000, 539_368)),
    Period("2025-10-01", "2026-01-01", (1_206_000, 736_000, 397_000, 282_000, 625_000)),
    Period("2026-01-01", "2026-04-01", (1_210_000, 740_000, 400_000, 284_000, 550_000)),
    Period("2026-04-01", "2026-04-13", (158_000, 95_000, 54_000, 37_000, 71_789)),
)
GAP = ("2026-03-01", "2026-04-01")
GAP_REGION = "East"
GAP_SHARE = 0.06


def tables(seed: int = SEED) -> dict[str, arrow.Columns]:
    """The five tables; another seed gives others under the same planted totals."""
    draw = np.random.default_rng(seed)
    products = _products(draw)
    customers = _customers(draw)
    return {
        "region": arrow.table(
            region_id=range(1, 6), name=names.REGIONS, manager=names.MANAGERS, opened_on=_days(names.OPENED)
        ),
        "channel": arrow.table(channel_id=range(1, 5), name=names.CHANNELS, fee=names.FEES),
        "product": products,
        "customer": customers,
        "orders": _orders(draw, np.asarray(products["unit_price"].to_pylist())),
    }


def _days(days: Sequence[str] | NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    return np.asarray(days, dtype="datetime64[D]")


def _products(draw: Generator) -> arrow.Columns:
    rows = [(category, name) for category, listed in names.PRODUCTS.items() for name in listed]
    low = np.array([names.PRICES[category] for category, _ in rows])
    prices = np.round(low * draw.uniform(0.6, 1.8, len(rows)), 0) - 0.05
    launched = np.datetime64("2019-01-01") + draw.integers(0, 1_700, len(rows)).astype("timedelta64[D]")
    return arrow.table(
        product_id=range(1, len(rows) + 1),
        name=[name for _, name in rows],
        category=[category for category, _ in rows],
        unit_price=prices,
        launched_on=_days(launched),
    )


def _customers(draw: Generator) -> arrow.Columns:
    first = draw.choice(names.FIRST_NAMES, CUSTOMERS)
    last = draw.choice(names.LAST_NAMES, CUSTOMERS)
    joined = np.datetime64("2018-01-01") + draw.integers(0, 2_190, CUSTOMERS).astype("timedelta64[D]")
    written = [
        f"{a}.{b}.{n}@example.com".lower() for n, (a, b) in enumerate(zip(first, last, strict=True), 1)
    ]
    lost = draw.random(CUSTOMERS) < 0.08
    return arrow.table(
        customer_id=range(1, CUSTOMERS + 1),
        name=[f"{a} {b}" for a, b in zip(first, last, strict=True)],
        segment=draw.choice(names.SEGMENTS, CUSTOMERS, p=[0.5, 0.3, 0.2]).tolist(),
        city=draw.choice(names.CITIES, CUSTOMERS).tolist(),
        email=[None if gone else address for gone, address in zip(lost, written, strict=True)],
        birth_year=draw.integers(1950, 2005, CUSTOMERS),
        joined_on=_days(joined),
    )


def _orders(draw: Generator, prices: Floats) -> arrow.Columns:
    region, at, period = _placed(draw)
    product = draw.integers(0, len(prices) - QUIET_PRODUCTS, ORDERS)
    quantity = draw.choice(np.arange(1, 9), ORDERS, p=[0.3, 0.22, 0.16, 0.1, 0.08, 0.06, 0.05, 0.03])
    discount = draw.choice([0.0, 0.05, 0.1, 0.15, 0.2, 0.3], ORDERS, p=[0.5, 0.18, 0.15, 0.08, 0.06, 0.03])
    missing = _missing(draw, region, at)
    agreed = prices[product] * quantity * (1 - discount) * draw.uniform(0.9, 1.1, ORDERS)
    amount = _scaled(agreed, region, period, missing)
    status = draw.choice(["delivered", "returned", "pending"], ORDERS, p=[0.93, 0.045, 0.025])
    customer = draw.integers(1, CUSTOMERS - QUIET_CUSTOMERS + 1, ORDERS)
    return arrow.table(
        order_id=np.arange(1, ORDERS + 1),
        customer_id=customer,
        product_id=product + 1,
        region_id=region + 1,
        channel_id=draw.choice(np.arange(1, 5), ORDERS, p=[0.46, 0.27, 0.17, 0.1]),
        ordered_at=at.astype("datetime64[us]"),
        quantity=quantity,
        discount=discount,
        amount=arrow.masked(amount, missing),
        status=status.tolist(),
    )


def _placed(draw: Generator) -> tuple[Whole, NDArray[np.datetime64], Whole]:
    """Each order's region, second and period, in the order of time; as many orders as there is revenue."""
    weights = np.array([period.revenue for period in PERIODS])
    share = (weights / weights.sum()).ravel()
    counts = np.floor(share * ORDERS).astype(np.int64)
    counts[0] += ORDERS - counts.sum()
    cells = np.repeat(np.arange(len(share)), counts)
    period, region = cells // weights.shape[1], cells % weights.shape[1]
    starts = np.array([each.start for each in PERIODS], dtype="datetime64[s]")[period]
    ends = np.array([each.end for each in PERIODS], dtype="datetime64[s]")[period]
    spans = (ends - starts).astype(np.int64)
    at = starts + np.floor(draw.random(ORDERS) * spans).astype("timedelta64[s]")
    order = np.argsort(at, kind="stable")
    return region[order], at[order], period[order]


def _missing(draw: Generator, region: Whole, at: NDArray[np.datetime64]) -> NDArray[np.bool_]:
    start, end = (np.datetime64(day) for day in GAP)
    there = np.flatnonzero((region == names.REGIONS.index(GAP_REGION)) & (at >= start) & (at < end))
    lost = draw.choice(there, round(GAP_SHARE * len(there)), replace=False)
    missing = np.zeros(len(region), dtype=np.bool_)
    missing[lost] = True
    return missing


def _scaled(amount: Floats, region: Whole, period: Whole, missing: NDArray[np.bool_]) -> Floats:
    """Amounts in cents' precision that add up to the planted totals."""
    scaled = amount.copy()
    for at, each in enumerate(PERIODS):
        for number, revenue in enumerate(each.revenue):
            rows = (period == at) & (region == number) & ~missing
            scaled[rows] *= revenue / scaled[rows].sum()
    return np.round(scaled, 2)
