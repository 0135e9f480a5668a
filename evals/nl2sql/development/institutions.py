"""Rows of the library, the hospital, the college and the company."""

from __future__ import annotations

import sqlite3
from random import Random

from evals.nl2sql.development import names
from evals.nl2sql.development.drawing import day, insert, people


def library(connection: sqlite3.Connection, rng: Random) -> None:
    countries = ["Kenya", "Norway", "Chile", "Japan", "Canada"]
    insert(
        connection,
        "author",
        (
            (n, name, rng.choice(countries), rng.randint(1920, 1990))
            for n, name in enumerate(people(rng, 12), 1)
        ),
    )
    titles = [f"The {one} {two}" for one in names.ADJECTIVES for two in names.NOUNS]
    genres = ["Mystery", "Romance", "History", "Poetry", "Travel"]
    insert(
        connection,
        "book",
        (
            (
                n,
                title,
                rng.randint(1, 10),
                rng.choice(genres),
                rng.randint(90, 800),
                rng.randint(1960, 2022),
                round(rng.uniform(5, 60), 2),
            )
            for n, title in enumerate(rng.sample(titles, 40), 1)
        ),
    )
    cities = ["Bergen", "Oslo", "Tromso", "Alta"]
    insert(
        connection,
        "member",
        (
            (n, name, rng.choice(cities), day(rng, 2015, 2022), rng.randint(15, 80))
            for n, name in enumerate(people(rng, 25), 1)
        ),
    )
    insert(
        connection,
        "loan",
        (
            (
                n,
                rng.randint(1, 36),
                rng.randint(1, 21),
                day(rng, 2020, 2023),
                day(rng, 2023, 2024) if rng.random() < 0.8 else None,
                round(rng.choice([0, 0, 0, 1.5, 3, 4.5]), 2),
            )
            for n in range(1, 121)
        ),
    )


def hospital(connection: sqlite3.Connection, rng: Random) -> None:
    departments = ["Cardiology", "Neurology", "Oncology", "Pediatrics", "Radiology", "Archive"]
    insert(
        connection,
        "Departments",
        ((n, name, rng.randint(1, 5), rng.randint(100, 900) * 1000) for n, name in enumerate(departments, 1)),
    )
    doctors = [name.split() for name in people(rng, 15)]
    special = ["Surgery", "Imaging", "General", "Trauma"]
    insert(
        connection,
        "Physicians",
        (
            (
                n,
                first,
                last,
                rng.choice(special),
                rng.randint(1, 5),
                rng.randint(60, 250) * 1000,
                day(rng, 2000, 2022),
            )
            for n, (first, last) in enumerate(doctors, 1)
        ),
    )
    patients = [name.split() for name in people(rng, 50)]
    cities = ["Lyon", "Nantes", "Lille", "Nice"]
    insert(
        connection,
        "Patients",
        (
            (
                n,
                first,
                last,
                rng.choice("FM"),
                day(rng, 1940, 2015),
                rng.choice(cities),
                rng.choice(["A", "B", "AB", "O"]),
                round(rng.uniform(30, 110), 1) if rng.random() < 0.9 else None,
            )
            for n, (first, last) in enumerate(patients, 1)
        ),
    )
    insert(
        connection,
        "Appointments",
        (
            (
                n,
                rng.randint(1, 42),
                rng.randint(1, 13),
                day(rng, 2021, 2023),
                rng.choice(["Completed", "Completed", "Cancelled", "No-show"]),
                round(rng.uniform(40, 900), 2),
            )
            for n in range(1, 201)
        ),
    )


def college(connection: sqlite3.Connection, rng: Random) -> None:
    departments = [
        ("Biology", "Hale", "Science"),
        ("Physics", "Hale", "Science"),
        ("Music", "Orr", "Arts"),
        ("English", "Orr", "Arts"),
        ("Law", "Pym", "Social"),
    ]
    insert(connection, "Dept", ((n, *row) for n, row in enumerate(departments, 1)))
    insert(
        connection,
        "Instructor",
        (
            (
                n,
                *name.split(),
                rng.choice(["Lecturer", "Professor", "Assistant"]),
                rng.randint(1, 5),
                rng.randint(40, 140) * 1000,
            )
            for n, name in enumerate(people(rng, 14), 1)
        ),
    )
    insert(
        connection,
        "Student",
        (
            (
                1000 + n,
                *name.split(),
                rng.randint(17, 28),
                rng.choice("FM"),
                rng.randint(1, 4),
                rng.choice(["BAL", "NYC", "CHI", "SEA"]),
                round(rng.uniform(2, 4), 2),
            )
            for n, name in enumerate(people(rng, 60), 1)
        ),
    )
    titles = [
        "Genetics",
        "Optics",
        "Harmony",
        "Poetics",
        "Torts",
        "Ecology",
        "Quantum Basics",
        "Choir",
        "Drama",
        "Contracts",
        "Botany",
        "Acoustics",
    ]
    insert(
        connection,
        "Course",
        (
            (f"C{n:02d}", title, rng.randint(1, 5), rng.randint(1, 11), rng.choice(["MWF", "TTh", "M"]))
            for n, title in enumerate(titles, 1)
        ),
    )
    pairs = rng.sample([(1000 + s, f"C{c:02d}") for s in range(1, 51) for c in range(1, 12)], 130)
    insert(connection, "Enrolled_in", ((*pair, rng.choice("ABCDF")) for pair in pairs))


def company(connection: sqlite3.Connection, rng: Random) -> None:
    insert(
        connection,
        "office",
        (
            (n, city, country, rng.randint(200, 4000))
            for n, (city, country) in enumerate(
                [
                    ("Jakarta", "Indonesia"),
                    ("Bandung", "Indonesia"),
                    ("Penang", "Malaysia"),
                    ("Cebu", "Philippines"),
                    ("Davao", "Philippines"),
                ],
                1,
            )
        ),
    )
    jobs = ["Engineer", "Analyst", "Accountant", "Designer", "Clerk"]
    insert(
        connection,
        "employees",
        (
            (
                n,
                name,
                rng.choice(jobs),
                rng.randint(20, 130) * 500,
                day(rng, 2005, 2023),
                rng.randint(1, 4),
                rng.randint(1, 5) if n > 5 else None,
            )
            for n, name in enumerate(people(rng, 55), 1)
        ),
    )
    works = ["Atlas", "Beacon", "Cobalt", "Drift", "Ember", "Fjord", "Grove", "Helix"]
    insert(
        connection,
        "projects",
        (
            (
                n,
                name,
                rng.randint(10, 400) * 1000,
                day(rng, 2018, 2023),
                rng.choice(["Active", "Closed", "On hold"]),
            )
            for n, name in enumerate(works, 1)
        ),
    )
    pairs = rng.sample([(e, p) for e in range(1, 46) for p in range(1, 8)], 90)
    insert(
        connection,
        "assignments",
        ((*pair, rng.randint(5, 300), rng.choice(["Lead", "Member", "Reviewer"])) for pair in pairs),
    )
    insert(
        connection,
        "certificates",
        (
            (
                n,
                rng.randint(1, 30),
                rng.choice(["Cloud", "Safety", "Finance", "Agile"]),
                rng.randint(2012, 2023),
            )
            for n in range(1, 41)
        ),
    )
