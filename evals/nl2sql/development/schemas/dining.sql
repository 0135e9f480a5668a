CREATE TABLE city (
    city_id INTEGER PRIMARY KEY,
    city_name TEXT,
    province TEXT,
    population INTEGER,
    area_km2 REAL
);

CREATE TABLE restaurant (
    rest_id INTEGER PRIMARY KEY,
    rest_name TEXT,
    cuisine TEXT,
    city_id INTEGER REFERENCES city(city_id),
    seats INTEGER,
    price_level INTEGER,
    open_year INTEGER
);

CREATE TABLE customer (
    cust_id INTEGER PRIMARY KEY,
    cust_name TEXT,
    email TEXT,
    birth_date DATE,
    phone TEXT
);

CREATE TABLE review (
    review_id INTEGER PRIMARY KEY,
    rest_id INTEGER REFERENCES restaurant(rest_id),
    cust_id INTEGER REFERENCES customer(cust_id),
    stars INTEGER,
    review_date DATE,
    comment TEXT
);
