"""Easy cases: operations reports with one missing value that a stable pattern determines."""

from __future__ import annotations

from envs.forecast_audit.constraints import Change, Constraint, Level, Season, context, rule
from envs.forecast_audit.models import IssueType, Operation, Severity
from envs.forecast_audit.tasks import Gold, Task, read_series


def _gap(
    number: int,
    metric_name: str,
    timestamps: str,
    values: str,
    constraints: tuple[Constraint, ...],
    *,
    value: float,
    tolerance: float,
    note: str,
    history: str,
) -> Task:
    """A report with one None, which `value` fills."""
    series = read_series(values)
    return Task(
        task_id=f"easy_ops_missing_{number:03d}",
        level="easy",
        max_steps=2,
        domain="operations",
        metric_name=metric_name,
        issue_type=IssueType.MISSING_VALUE,
        timestamps=tuple(timestamps.split()),
        values=series,
        constraints=constraints,
        analyst_note=note,
        history_summary=history,
        gold=Gold(
            operation=Operation.IMPUTE,
            target_index=series.index(None),
            value=value,
            tolerance=tolerance,
            severity=Severity.LOW,
        ),
    )


EASY: tuple[Task, ...] = (
    # The contract's worked example, word for word.
    _gap(
        1,
        "warehouse_orders_per_hour",
        "09:00 10:00 11:00 12:00 13:00",
        "120 125 130 null 140",
        (
            rule("Weekday ramp is stable at +5 orders/hour.", Change(low=4, high=6)),
            context("No promotions or outages were recorded."),
        ),
        value=135.0,
        tolerance=1.0,
        note="Backfill the missing hour before the report is published.",
        history="Recent weekday mornings have shown a steady linear ramp.",
    ),
    _gap(
        2,
        "picking_backlog_orders",
        "14:00 15:00 16:00 17:00 18:00 19:00 20:00 21:00",
        "244 null 208 190 171 153 135 117",
        (
            context("Order intake closes at 13:30, so nothing is added to the backlog."),
            rule("The late crew works off 16 to 20 orders an hour.", Change(low=-20, high=-16)),
        ),
        value=226.0,
        tolerance=2.0,
        note="The 15:00 scan was lost when the handhelds were swapped. Fill it for the shift hand-over.",
        history="The late crew has cleared the afternoon backlog at an even pace all month.",
    ),
    _gap(
        3,
        "cold_room_temperature_c",
        "00:00 01:00 02:00 03:00 04:00 05:00",
        "-18.1 -18 -17.9 -18 -18.1 null",
        (
            rule("The compressor keeps the room between -18.5 and -17.5 °C.", Level(low=-18.5, high=-17.5)),
            context("The door log shows no opening after 23:40."),
            context("The sensor was calibrated two weeks ago."),
        ),
        value=-18.0,
        tolerance=0.3,
        note="The logger went offline at 05:00. The food-safety sheet needs a figure for that hour.",
        history="With the door shut, the room has kept its set point to within 0.2 °C all quarter.",
    ),
    _gap(
        4,
        "packing_line_units_per_hour",
        "06:00 07:00 08:00 09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00",
        "340 341 339 340 342 340 null 411 410 409 410 411",
        (
            rule(
                "Within a shift the line keeps its speed to 4 units/hour.",
                Change(low=-4, high=4, where=(1, 2, 3, 4, 5, 7, 8, 9, 10, 11)),
            ),
            rule(
                "The second shift starts at 12:00 and runs about 70 units/hour faster than the first.",
                Change(low=64, high=76, where=(6,)),
            ),
            context("Both shifts packed the same carton size."),
        ),
        value=410.0,
        tolerance=3.0,
        note="The counter rebooted at the shift change. What did the line make in that hour?",
        history="The two crews differ by about 70 units an hour and hold their own speed closely.",
    ),
    _gap(
        5,
        "delivery_vans_on_road",
        "06:00 06:30 07:00 07:30 08:00 08:30 09:00",
        "null 17 20 23 26 29 32",
        (
            context("All 40 vans passed the evening check."),
            rule(
                "Three vans leave the yard every half hour, one more or fewer at times.",
                Change(low=2, high=4),
            ),
            rule("The number of vans on the road cannot exceed 40.", Level(high=40)),
            context("No driver reported sick."),
        ),
        value=14.0,
        tolerance=1.0,
        note="Telematics woke up late; the first reading of the day is empty.",
        history="The morning roll-out has followed the same timetable since the depot moved.",
    ),
    _gap(
        6,
        "returned_parcels_per_day",
        "2024-05-06 2024-05-07 2024-05-08 2024-05-09 2024-05-10 2024-05-11 2024-05-12 "
        "2024-05-13 2024-05-14 2024-05-15 2024-05-16 2024-05-17 2024-05-18 2024-05-19",
        "210 188 176 182 230 95 40 221 197 187 191 null 104 50",
        (
            rule(
                "Each day brings 6 to 14 parcels more than the same day of the week before.",
                Season(period=7, low=6, high=14),
            ),
            context("On Sundays one clerk works alone."),
        ),
        value=240.0,
        tolerance=4.0,
        note="Friday's count sheet was never typed in. Please complete the fortnight.",
        history="Fridays are the peak, weekends are quiet, and the whole profile creeps up week by week.",
    ),
    _gap(
        7,
        "conveyor_metres_per_min",
        "10:00 10:02 10:04 10:06 10:08 10:10 10:12 10:14 10:16",
        "12 13.5 15 16.5 18 19.5 null 22.5 24",
        (
            rule("The belt speed cannot exceed 30 m/min.", Level(high=30)),
            rule(
                "The soft start adds 1.5 m/min every two minutes, to within 0.3.", Change(low=1.2, high=1.8)
            ),
            context("The drive reported no fault code."),
        ),
        value=21.0,
        tolerance=0.3,
        note="One telegram from the drive was dropped. The commissioning curve must have no holes.",
        history="Six earlier soft starts of this belt were straight lines from standstill to full speed.",
    ),
    _gap(
        8,
        "rinse_tank_level_litres",
        "00:00 01:00 02:00 03:00 04:00 05:00 06:00 07:00 08:00 09:00 10:00 11:00 "
        "12:00 13:00 14:00 15:00 16:00 17:00 18:00 19:00 20:00 21:00 22:00 23:00",
        "4200 4115 4030 3946 3861 3776 3690 3605 3520 3436 3351 3266 "
        "3180 3095 3010 2925 2841 null 2671 2586 2500 2415 2330 2246",
        (
            rule(
                "The dry-run guard stops the pump in time: the level never falls below 500 litres.",
                Level(low=500),
            ),
            context("The tank is refilled on Mondays only; this is a Wednesday."),
            rule("The line draws 75 to 95 litres an hour around the clock.", Change(low=-95, high=-75)),
        ),
        value=2756.0,
        tolerance=8.0,
        note="The 17:00 reading is blank and the water balance will not close without it.",
        history="Consumption has been the same by day and by night since the nozzles were replaced.",
    ),
    _gap(
        9,
        "forklift_battery_charge_pct",
        "22:00 22:15 22:30 22:45 23:00 23:15 23:30 23:45 00:00 00:15 00:30",
        "40 48 56 64 72 80 88 null 96 96 96",
        (
            rule(
                "Until 23:45 the charge rises by 7 to 9 points every quarter hour.",
                Change(low=7, high=9, where=(1, 2, 3, 4, 5, 6, 7)),
            ),
            rule(
                "From 23:45 on the charger only holds the level, to within 1 point.",
                Change(low=-1, high=1, where=(8, 9, 10)),
            ),
            rule("The charge never exceeds 100 %.", Level(high=100)),
            context("The truck stayed plugged in until the morning shift."),
        ),
        value=96.0,
        tolerance=1.0,
        note="The charger skipped a log line just where it changes mode. Fill it in, please.",
        history="Every night the truck charges in a straight line and is then held at its ceiling.",
    ),
    _gap(
        10,
        "defects_per_10k_units",
        "2023-01 2023-02 2023-03 2023-04 2023-05 2023-06 2023-07 2023-08 2023-09 2023-10",
        "7.8 7.4 null 6.6 6.2 5.8 5.5 5.1 4.7 4.3",
        (
            rule(
                "The quality programme takes 0.2 to 0.6 defects off the rate every month.",
                Change(low=-0.6, high=-0.2),
            ),
            context("No product was added to or dropped from the line."),
            context("The inspection plan has not changed since 2022."),
        ),
        value=7.0,
        tolerance=0.2,
        note="March is missing since the lab changed its database. The board chart needs all ten months.",
        history="The rate has come down in small, even steps from the month the programme began.",
    ),
    _gap(
        11,
        "ferry_passengers_per_sailing",
        "07:00 07:40 08:20 09:00 09:40 10:20 11:00 11:40 12:20 13:00",
        "182 61 180 60 183 63 181 62 null 60",
        (
            context("Sailings alternate between the city and the island."),
            rule("The boat is licensed for 220: a sailing cannot exceed 220 passengers.", Level(high=220)),
            rule(
                "A sailing carries as many people as the last one in its direction, give or take 6.",
                Season(period=2, low=-6, high=6),
            ),
        ),
        value=181.0,
        tolerance=4.0,
        note="The gate counter missed the 12:20 boat. The harbour office invoices by passenger.",
        history="On weekday mornings the city boats are nearly full and the boats back are nearly empty.",
    ),
)
