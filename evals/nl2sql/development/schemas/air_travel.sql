CREATE TABLE airports (
    code TEXT PRIMARY KEY,
    airport_name TEXT,
    city TEXT,
    country TEXT,
    elevation INTEGER
);

CREATE TABLE airlines (
    airline_id INTEGER PRIMARY KEY,
    airline_name TEXT,
    home_country TEXT,
    founded INTEGER,
    fleet_size INTEGER
);

CREATE TABLE aircraft (
    aid INTEGER PRIMARY KEY,
    model TEXT,
    manufacturer TEXT,
    max_distance INTEGER,
    seats INTEGER
);

CREATE TABLE flights (
    flight_no INTEGER PRIMARY KEY,
    airline_id INTEGER REFERENCES airlines(airline_id),
    origin TEXT REFERENCES airports(code),
    destination TEXT REFERENCES airports(code),
    aid INTEGER REFERENCES aircraft(aid),
    departure_date DATE,
    distance INTEGER,
    price INTEGER
);
