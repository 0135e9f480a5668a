CREATE TABLE stadium (
    stadium_id INTEGER PRIMARY KEY,
    stadium_name TEXT,
    location TEXT,
    capacity INTEGER,
    opened_year INTEGER
);

CREATE TABLE team (
    team_id INTEGER PRIMARY KEY,
    name TEXT,
    coach TEXT,
    founded_year INTEGER,
    stadium_id INTEGER,
    FOREIGN KEY (stadium_id) REFERENCES stadium(stadium_id)
);

CREATE TABLE player (
    player_id INTEGER PRIMARY KEY,
    player_name TEXT,
    position TEXT,
    height REAL,
    age INTEGER,
    goals INTEGER,
    nationality TEXT,
    team_id INTEGER,
    FOREIGN KEY (team_id) REFERENCES team(team_id)
);

CREATE TABLE fixture (
    fixture_id INTEGER PRIMARY KEY,
    season INTEGER,
    home_team_id INTEGER,
    away_team_id INTEGER,
    home_goals INTEGER,
    away_goals INTEGER,
    attendance INTEGER,
    FOREIGN KEY (home_team_id) REFERENCES team(team_id),
    FOREIGN KEY (away_team_id) REFERENCES team(team_id)
);
