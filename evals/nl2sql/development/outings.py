"""Rows of the airports, the league, the festivals and the restaurants."""

from __future__ import annotations

import sqlite3
from random import Random

from evals.nl2sql.development import names
from evals.nl2sql.development.drawing import day, insert, people


def flights(connection: sqlite3.Connection, rng: Random) -> None:
    places = [
        ("LIS", "Humberto", "Lisbon", "Portugal"),
        ("OPO", "Carneiro", "Porto", "Portugal"),
        ("MAD", "Barajas", "Madrid", "Spain"),
        ("BCN", "El Prat", "Barcelona", "Spain"),
        ("ROM", "Fiumicino", "Rome", "Italy"),
        ("MIL", "Malpensa", "Milan", "Italy"),
        ("VIE", "Schwechat", "Vienna", "Austria"),
        ("PRG", "Havel", "Prague", "Czechia"),
    ]
    insert(connection, "airports", ((*place, rng.randint(1, 700)) for place in places))
    lines = ["Azure Wings", "Boreal Air", "Cirrus", "Delphi Jet", "Estrela", "Falcon Lines", "Gull Air"]
    homes = ["Portugal", "Spain", "Italy", "Austria"]
    insert(
        connection,
        "airlines",
        (
            (n, name, rng.choice(homes), rng.randint(1950, 2015), rng.randint(4, 120))
            for n, name in enumerate(lines, 1)
        ),
    )
    models = [
        ("A200", "Aero"),
        ("A350X", "Aero"),
        ("B10", "Bolt"),
        ("B20", "Bolt"),
        ("C7", "Corvus"),
        ("D1", "Corvus"),
    ]
    insert(
        connection,
        "aircraft",
        ((n, *model, rng.randint(1000, 9000), rng.randint(40, 320)) for n, model in enumerate(models, 1)),
    )
    rows = []
    for n in range(1, 151):
        one, other = rng.sample(places[:7], 2)
        rows.append(
            (
                n,
                rng.randint(1, 6),
                one[0],
                other[0],
                rng.randint(1, 5),
                day(rng, 2022, 2023),
                rng.randint(200, 2500),
                rng.randint(30, 600),
            )
        )
    insert(connection, "flights", rows)


def league(connection: sqlite3.Connection, rng: Random) -> None:
    grounds = ["Oak Park", "River End", "North Bank", "Dune Field", "Mill Lane", "Harbour Arena"]
    towns = ["Aston", "Brill", "Corve", "Dunley", "Brill", "Elm"]
    insert(
        connection,
        "stadium",
        (
            (n, ground, town, rng.randint(5, 60) * 1000, rng.randint(1900, 2015))
            for n, (ground, town) in enumerate(zip(grounds, towns, strict=True), 1)
        ),
    )
    coaches = people(rng, 8)
    teams = [
        "Aston Rovers",
        "Brill Town",
        "Corve City",
        "Dunley United",
        "Elm Athletic",
        "Foss Rangers",
        "Glen Wanderers",
        "Holt Stars",
    ]
    insert(
        connection,
        "team",
        (
            (n, name, coach, rng.randint(1880, 1990), rng.choice([1, 2, 3, 4, 5]))
            for n, (name, coach) in enumerate(zip(teams, coaches, strict=True), 1)
        ),
    )
    nations = ["Ghana", "Brazil", "Wales", "Denmark"]
    insert(
        connection,
        "player",
        (
            (
                n,
                name,
                rng.choice(["Goalkeeper", "Defender", "Midfielder", "Forward"]),
                round(rng.uniform(1.65, 2.02), 2),
                rng.randint(17, 38),
                rng.randint(0, 30),
                rng.choice(nations),
                rng.randint(1, 7),
            )
            for n, name in enumerate(people(rng, 60), 1)
        ),
    )
    rows = []
    for n in range(1, 81):
        one, other = rng.sample(range(1, 8), 2)
        rows.append(
            (
                n,
                rng.choice([2019, 2020, 2021]),
                one,
                other,
                rng.randint(0, 5),
                rng.randint(0, 4),
                rng.randint(800, 55000),
            )
        )
    insert(connection, "fixture", rows)


def festival(connection: sqlite3.Connection, rng: Random) -> None:
    bands = [
        "The Lanterns",
        "Mara Vale",
        "Copper Sky",
        "Owl Parade",
        "Ines Duro",
        "Static Garden",
        "Night Ferry",
        "Juno Park",
        "Glass Harbor",
        "Rook",
    ]
    nations = ["Ireland", "Mexico", "Iceland", "Peru"]
    insert(
        connection,
        "artist",
        (
            (
                n,
                name,
                rng.choice(nations),
                rng.randint(1985, 2018),
                "yes" if " " in name and n % 3 == 2 else "no",
            )
            for n, name in enumerate(bands, 1)
        ),
    )
    titles = [f"{one} {two}" for one in names.ADJECTIVES for two in names.NOUNS]
    insert(
        connection,
        "album",
        (
            (
                n,
                title,
                rng.randint(1, 8),
                day(rng, 1995, 2023),
                rng.choice(["Tide", "Northern", "Loam"]),
                rng.randint(1, 400) * 1000,
            )
            for n, title in enumerate(rng.sample(titles, 24), 1)
        ),
    )
    songs = [f"{two} of {one}" for one in names.NOUNS for two in names.NOUNS if one != two]
    insert(
        connection,
        "track",
        (
            (n, title, rng.randint(1, 22), rng.randint(90, 480), round(rng.uniform(1, 5), 1))
            for n, title in enumerate(rng.sample(songs, 85), 1)
        ),
    )
    events = ["Dawn Fest", "Salt Sounds", "Meadow Days", "Quay Live", "Dawn Fest", "Salt Sounds"]
    cities = ["Galway", "Cusco", "Reykjavik", "Cork", "Galway", "Cusco"]
    insert(
        connection,
        "festival",
        (
            (n, event, city, rng.randint(2015, 2023), rng.randint(30, 180), rng.randint(2, 90) * 1000)
            for n, (event, city) in enumerate(zip(events, cities, strict=True), 1)
        ),
    )
    pairs = rng.sample([(f, a) for f in range(1, 6) for a in range(1, 10)], 28)
    insert(
        connection,
        "performance",
        ((*pair, rng.choice(["Main", "Forest", "Tent"]), rng.randint(1, 80) * 500) for pair in pairs),
    )


def dining(connection: sqlite3.Connection, rng: Random) -> None:
    cities = [
        ("Almere", "Flevo"),
        ("Breda", "Brabant"),
        ("Delft", "South"),
        ("Ede", "Gelder"),
        ("Gouda", "South"),
        ("Tilburg", "Brabant"),
    ]
    insert(
        connection,
        "city",
        (
            (n, *city, rng.randint(40, 400) * 1000, round(rng.uniform(20, 320), 1))
            for n, city in enumerate(cities, 1)
        ),
    )
    kitchens = ["Thai", "Italian", "Indian", "Lebanese"]
    places = [f"{one} {two}" for one in names.ADJECTIVES for two in ("Table", "Kitchen", "Spoon")]
    insert(
        connection,
        "restaurant",
        (
            (
                n,
                name,
                rng.choice(kitchens),
                rng.randint(1, 5),
                rng.randint(12, 160),
                rng.randint(1, 4),
                rng.randint(1995, 2022),
            )
            for n, name in enumerate(rng.sample(places, 26), 1)
        ),
    )
    insert(
        connection,
        "customer",
        (
            (
                n,
                name,
                f"{name.split()[0].lower()}{n}@mail.test",
                day(rng, 1950, 2004),
                f"06-{rng.randint(100, 999)}" if rng.random() < 0.7 else None,
            )
            for n, name in enumerate(people(rng, 40), 1)
        ),
    )
    words = ["lovely soup", "slow service", "great wine", "too loud", "fresh bread", "great service"]
    insert(
        connection,
        "review",
        (
            (
                n,
                rng.randint(1, 23),
                rng.randint(1, 34),
                rng.randint(1, 5),
                day(rng, 2020, 2023),
                rng.choice(words),
            )
            for n in range(1, 161)
        ),
    )
