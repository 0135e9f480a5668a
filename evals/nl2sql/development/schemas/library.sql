CREATE TABLE author (
    author_id INTEGER PRIMARY KEY,
    name TEXT,
    country TEXT,
    birth_year INTEGER
);

CREATE TABLE book (
    book_id INTEGER PRIMARY KEY,
    title TEXT,
    author_id INTEGER REFERENCES author(author_id),
    genre TEXT,
    pages INTEGER,
    published_year INTEGER,
    price REAL
);

CREATE TABLE member (
    member_id INTEGER PRIMARY KEY,
    name TEXT,
    city TEXT,
    joined_on DATE,
    age INTEGER
);

CREATE TABLE loan (
    loan_id INTEGER PRIMARY KEY,
    book_id INTEGER REFERENCES book(book_id),
    member_id INTEGER REFERENCES member(member_id),
    borrowed_on DATE,
    returned_on DATE,
    fine REAL
);
