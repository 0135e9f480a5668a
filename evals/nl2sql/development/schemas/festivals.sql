CREATE TABLE artist (
    id INTEGER PRIMARY KEY,
    name TEXT,
    country TEXT,
    formed INTEGER,
    is_solo TEXT
);

CREATE TABLE album (
    id INTEGER PRIMARY KEY,
    title TEXT,
    artist_id INTEGER,
    release_date DATE,
    label TEXT,
    copies_sold INTEGER,
    FOREIGN KEY (artist_id) REFERENCES artist(id)
);

CREATE TABLE track (
    id INTEGER PRIMARY KEY,
    title TEXT,
    album_id INTEGER,
    duration_sec INTEGER,
    rating REAL,
    FOREIGN KEY (album_id) REFERENCES album(id)
);

CREATE TABLE festival (
    id INTEGER PRIMARY KEY,
    name TEXT,
    city TEXT,
    year INTEGER,
    ticket_price REAL,
    visitors INTEGER
);

CREATE TABLE performance (
    festival_id INTEGER,
    artist_id INTEGER,
    stage TEXT,
    fee INTEGER,
    PRIMARY KEY (festival_id, artist_id),
    FOREIGN KEY (festival_id) REFERENCES festival(id),
    FOREIGN KEY (artist_id) REFERENCES artist(id)
);
