"""Medium cases: finance reports with one impossible value."""

from __future__ import annotations

from envs.forecast_audit.constraints import Change, Constraint, Growth, Level, Season, context, rule
from envs.forecast_audit.models import IssueType, Operation, Severity
from envs.forecast_audit.tasks import Gold, Task, read_series


def _spike(
    number: int,
    metric_name: str,
    timestamps: str,
    values: str,
    constraints: tuple[Constraint, ...],
    *,
    breaks: int,
    index: int,
    value: float,
    tolerance: float,
    note: str,
    history: str,
) -> Task:
    """A report whose value at `index` breaks the constraint at `breaks` and should have been `value`."""
    return Task(
        task_id=f"medium_finance_anomaly_{number:03d}",
        level="medium",
        max_steps=2,
        domain="finance",
        metric_name=metric_name,
        issue_type=IssueType.ANOMALY,
        timestamps=tuple(timestamps.split()),
        values=read_series(values),
        constraints=constraints,
        analyst_note=note,
        history_summary=history,
        gold=Gold(
            operation=Operation.REPAIR_AND_FINALIZE,
            target_index=index,
            value=value,
            tolerance=tolerance,
            severity=Severity.HIGH,
            violated_constraints=(constraints[breaks].sentence,),
        ),
    )


MEDIUM: tuple[Task, ...] = (
    _spike(
        1,
        "card_settlement_kusd",
        "2024-03-04 2024-03-05 2024-03-06 2024-03-07 2024-03-08 2024-03-11 2024-03-12",
        "412 418.5 425 4310 437.5 444 450",
        (
            rule("Refunds are booked elsewhere, so a day cannot fall below 0 kUSD.", Level(low=0)),
            rule("A day cannot exceed the clearing account's limit of 900 kUSD.", Level(high=900)),
            context("No chargeback batch was booked this fortnight."),
        ),
        breaks=1,
        index=3,
        value=431.0,
        tolerance=6.0,
        note="Thursday looks like a slipped decimal point. Put it right and close the report.",
        history="Settlements have crept up by 6 to 7 kUSD per business day since January.",
    ),
    _spike(
        2,
        "fund_share_price_eur",
        "2024-01-15 2024-01-16 2024-01-17 2024-01-18 2024-01-19 "
        "2024-01-22 2024-01-23 2024-01-24 2024-01-25 2024-01-26",
        "101.2 101.5 101.4 101.9 102.3 97.6 102.8 103.1 103 103.4",
        (
            rule(
                "From one day to the next the share price moves by 3 % at most.", Growth(low=0.97, high=1.03)
            ),
            context("The fund pays no dividend in January."),
            rule("A share has been worth at least 90 EUR since the launch.", Level(low=90)),
        ),
        breaks=0,
        index=5,
        value=102.6,
        tolerance=0.5,
        note="A reader asks about Monday's dip, but the index did not move. Correct the sheet if it is ours.",
        history="A bond fund: it gains a few tenths on most days and gives back less.",
    ),
    _spike(
        3,
        "petty_cash_balance_eur",
        "2024-02-01 2024-02-02 2024-02-05 2024-02-06 2024-02-07 2024-02-08 2024-02-09 2024-02-12 2024-02-13",
        "940 880 830 770 715 660 600 -545 490",
        (
            context("The box is topped up on the first working day of a month."),
            rule("Cash is counted, so the balance cannot fall below 0 EUR.", Level(low=0)),
            rule("For insurance reasons the balance never exceeds 2,500 EUR.", Level(high=2500)),
        ),
        breaks=1,
        index=7,
        value=545.0,
        tolerance=15.0,
        note="The trial balance stumbles over one line. Repair it so that February can be closed.",
        history="Postage and catering take 50 to 60 EUR out of the box every working day.",
    ),
    _spike(
        4,
        "rent_income_keur",
        "2023-01 2023-02 2023-03 2023-04 2023-05 2023-06 2023-07 2023-08 2023-09 2023-10 2023-11 2023-12",
        "84 84 84 84.1 84 84 86.5 86.5 865 86.6 86.5 86.5",
        (
            context("All units were let for the whole year."),
            rule(
                "The indexation of 2023-07 raised the rent by 2 to 3 kEUR.",
                Change(low=2, high=3, where=(6,)),
            ),
            rule("Fully let, the building's monthly rent cannot exceed 95 kEUR.", Level(high=95)),
            context("Deposits are not part of this account."),
        ),
        breaks=2,
        index=8,
        value=86.5,
        tolerance=0.5,
        note="The auditor marked September in red. Repair it and send the year out again.",
        history="Rent is flat between two indexations; tenants pay by standing order.",
    ),
    _spike(
        5,
        "loan_book_meur",
        "2021-Q1 2021-Q2 2021-Q3 2021-Q4 2022-Q1 2022-Q2 2022-Q3 2022-Q4 2023-Q1 2023-Q2 2023-Q3 2023-Q4",
        "203 217 321 246 260 273 288 302 317 331 345 360",
        (
            rule("The licence says that the book cannot exceed 500 MEUR.", Level(high=500)),
            context("No portfolio was bought or sold in these three years."),
            rule("New loans less repayments add 10 to 20 MEUR a quarter.", Change(low=10, high=20)),
        ),
        breaks=2,
        index=2,
        value=231.0,
        tolerance=4.0,
        note="Two digits may have changed places in an early quarter. Repair the table before it is filed.",
        history="The book has grown in a straight line since the branch opened.",
    ),
    _spike(
        6,
        "card_turnover_kgbp",
        "2024-06-03 2024-06-04 2024-06-05 2024-06-06 2024-06-07 2024-06-08 2024-06-09 "
        "2024-06-10 2024-06-11 2024-06-12 2024-06-13 2024-06-14 2024-06-15 2024-06-16",
        "310 305 315 330 390 520 480 318 312 532 338 398 530 488",
        (
            rule("The terminals' daily turnover cannot exceed 600 kGBP.", Level(high=600)),
            rule("Standing orders alone bring in at least 200 kGBP a day.", Level(low=200)),
            context("No bank holiday and no street festival fell into this fortnight."),
            rule(
                "Each day stays within 25 kGBP of the same day of the week before.",
                Season(period=7, low=-25, high=25),
            ),
        ),
        breaks=3,
        index=9,
        value=323.0,
        tolerance=12.0,
        note="The total for the fortnight is some 200 too high, though no day stands out at first sight.",
        history="Saturdays are the peak; the middle of the week runs at about three fifths of a Saturday.",
    ),
    _spike(
        7,
        "payroll_run_kusd",
        "2024-01-15 2024-01-31 2024-02-15 2024-02-29 2024-03-15 2024-03-28 2024-04-15 2024-04-30",
        "738 741.5 745 748 751.5 755 75.9 762",
        (
            rule("Base salaries alone come to at least 700 kUSD a run.", Level(low=700)),
            rule("The payroll account only pays out runs at or below 800 kUSD.", Level(high=800)),
        ),
        breaks=0,
        index=6,
        value=758.5,
        tolerance=3.0,
        note="The mid-April run fails validation. Give the bank file the right sum and let it go.",
        history="Two people join a month, so each run is 3 to 4 kUSD above the last.",
    ),
    _spike(
        8,
        "receivables_days",
        "2023-07 2023-08 2023-09 2023-10 2023-11 2023-12",
        "412 41 42 43 42 44",
        (
            context("The largest customer pays on the 15th."),
            rule(
                "Invoices are written off after 120 days, so the average never exceeds 120 days.",
                Level(high=120),
            ),
            rule("Terms are 30 days net; the average is at or above 30 days.", Level(low=30)),
        ),
        breaks=1,
        index=0,
        value=41.0,
        tolerance=1.5,
        note="The half-year chart is flattened by its first bar. Repair it and finish the deck.",
        history="Customers have paid after six weeks, a day sooner or later, for two years.",
    ),
    _spike(
        9,
        "atm_withdrawals_keur",
        "00:00 01:00 02:00 03:00 04:00 05:00 06:00 07:00 08:00 09:00 10:00 11:00 "
        "12:00 13:00 14:00 15:00 16:00 17:00 18:00 19:00 20:00 21:00 22:00 23:00",
        "14 8 6 5 58 6 12 22 34 42 51 58 64 60 55 53 56 61 63 57 46 35 27 19",
        (
            rule(
                "From 01:00 to 05:00 the network pays out no more than 10 kEUR an hour.",
                Level(high=10, where=(1, 2, 3, 4, 5)),
            ),
            rule("By day and by night an hour's withdrawals cannot exceed 90 kEUR.", Level(high=90)),
            context("The machines were refilled at 22:30 the evening before."),
        ),
        breaks=0,
        index=4,
        value=4.5,
        tolerance=1.5,
        note="Fraud control asks whether the early hours are real. Our switch logs say they are not.",
        history="Withdrawals die down after midnight and have two humps, at noon and after work.",
    ),
    _spike(
        10,
        "bond_yield_pct",
        "2024-04-01 2024-04-02 2024-04-03 2024-04-04 2024-04-05 2024-04-08 2024-04-09 2024-04-10 "
        "2024-04-11 2024-04-12 2024-04-15 2024-04-16 2024-04-17 2024-04-18 2024-04-19",
        "3.41 3.43 3.4 3.44 3.46 3.45 3.48 3.47 3.5 3.49 3.51 3.5 3.52 3.97 3.54",
        (
            rule("By its terms the note's yield never exceeds 6 %.", Level(high=6)),
            context("The central bank left its rate unchanged in April."),
            rule("The yield moves by no more than 0.15 points a day.", Change(low=-0.15, high=0.15)),
            context("Prices are taken at 17:30, after the close."),
        ),
        breaks=2,
        index=13,
        value=3.53,
        tolerance=0.05,
        note="One close near the end does not agree with the broker's list. Fix it and publish the curve.",
        history="The yield has risen by a basis point a day or so, two steps up and one down.",
    ),
    _spike(
        11,
        "claims_paid_keur",
        "2024-W01 2024-W02 2024-W03 2024-W04 2024-W05 2024-W06 2024-W07 2024-W08 2024-W09 "
        "2024-W10 2024-W11 2024-W12 2024-W13 2024-W14 2024-W15 2024-W16 2024-W17 2024-W18",
        "112 114 115 118 120 121 124 126 127 130 132 133 136 138 140 142 144 1460",
        (
            context("Large losses are paid by the reinsurer and not shown here."),
            rule("Running annuities alone are at least 60 kEUR a week.", Level(low=60)),
            context("No storm was declared in these weeks."),
            rule(
                "Beyond its authority the desk pays nothing: a week cannot exceed 250 kEUR.", Level(high=250)
            ),
            context("Payments are booked in the week of their release."),
        ),
        breaks=3,
        index=17,
        value=146.0,
        tolerance=3.0,
        note="The newest week was keyed in by hand. Repair it and finalize the reserve report.",
        history="Payments have grown by about 2 kEUR a week as the portfolio ages.",
    ),
)
