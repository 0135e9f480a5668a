"""Rows: per cent of clear, mixed and adverse for each tool in each scenario, as the desk has known them.

Pure numbers; `tables` makes them sharper or blunter by level. Columns in the order of `Evidence`:

- BANK: the account is on file; it came on file lately; it is not on file.
- EMAIL: the vendor's own and in order; its sender is not proven; another domain, or proven forged.
- HISTORY: no recent change of the record; one that was checked; one that nobody checked.
- LEDGER: nothing alike; something alike; the same again.
- PO: as ordered; dearer within tolerance; dearer than that, or more than ordered.
- RECEIPT: all received; a part; nothing booked in.
- POLICY: far from the approval limit; just below it; below it together with others of the same orderer.
- CALLBACK, to the number on file: confirmed; nobody answers; denied.
- APPROVALS of the account: two independent ones; fewer, or none on record; one's own, or after the first use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from envs.ledgershield.inference.hypotheses import Scenario

Row = tuple[float, float, float]

_PER_CENT = """
clean             92  6  2  82 14  4  80 16  4  86 12  2  91  8  1  91  8  1  64 32  4  94  5  1  22 72  6
legitimate_change  2  8 90  38 55  7  36 58  6  86 12  2  91  8  1  91  8  1  64 32  4  94  5  1  90  6  4
price_mismatch    92  6  2  82 14  4  74 21  5  84 14  2   3  9 88  90  9  1  62 34  4  94  5  1  22 72  6
quantity_mismatch 92  6  2  82 14  4  74 21  5  84 14  2   6 86  8   4 88  8  62 34  4  94  5  1  22 72  6
missing_receipt   92  6  2  82 14  4  74 21  5  84 14  2  90  9  1   2  8 90  62 34  4  94  5  1  22 72  6
overbilling       92  6  2  74 22  4  62 33  5  78 20  2   4 14 82   6 84 10  62 34  4  94  5  1  22 72  6
bank_override      3 12 85  22 64 14  70 26  4  86 12  2  88 10  2  88 10  2  62 34  4  34 25 41   4 16 80
exact_duplicate   86  8  6  70 26  4  70 25  5   2  8 90  74 23  3  72 25  3  64 32  4  88  7  5  22 72  6
near_duplicate    80 14  6  64 32  4  62 33  5   4 88  8  70 26  4  68 28  4  82 16  2  82 12  6  22 72  6
vendor_takeover    4 14 82  24 56 20  16 30 54  86 12  2  90  9  1  90  9  1  62 34  4  35 20 45   6 30 64
sleeper_vendor    40 30 30  70 27  3   6 30 64  74 23  3  60 30 10  50 36 14  52 38 10  50 30 20  20 58 22
ceo_impersonation 45 20 35   2 14 84  66 30  4  86 12  2  14 40 46  30 42 28  16 74 10  50 25 25   8 50 42
phantom_vendor    80 15  5  58 36  6   2 22 76  86 12  2   3  9 88   2  8 90  44 34 22  46 49  5  16 72 12
supply_chain      50 25 25  14 62 24  66 30  4  72 25  3  30 58 12  40 44 16  60 34  6  26 38 36  14 60 26
insider_override  64 16 20  78 20  2  24 16 60  70 26  4  40 42 18  14 22 64  20 28 52  80 16  4  70 10 20
layering          40 52  8  66 30  4  14 34 52  14 76 10  40 42 18  40 42 18  30 34 36  64 30  6  18 64 18
campaign          30 28 42  12 44 44  50 40 10  14 76 10  70 24  6  60 32  8  24 26 50  44 28 28  10 48 42
split             88  8  4  78 18  4  70 25  5   6 88  6  76 20  4  74 22  4   2  8 90  90  7  3  22 72  6
under_threshold   86  9  5  64 31  5  50 44  6  88 10  2  78 18  4  74 22  4   2  8 90  84 12  4  22 72  6
"""


def _read(table: str) -> Iterator[tuple[Scenario, tuple[Row, ...]]]:
    for name, *cells in map(str.split, table.strip().splitlines()):
        shares = iter(int(cell) / 100 for cell in cells)
        yield Scenario(name), tuple(zip(shares, shares, shares, strict=True))


ROWS: Mapping[Scenario, tuple[Row, ...]] = MappingProxyType(dict(_read(_PER_CENT)))
"""Shares of the three findings, by scenario and then in the order of `Evidence`."""
