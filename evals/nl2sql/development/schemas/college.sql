CREATE TABLE Dept (
    DeptNo INTEGER PRIMARY KEY,
    DName TEXT,
    Building TEXT,
    Division TEXT
);

CREATE TABLE Instructor (
    InstrID INTEGER PRIMARY KEY,
    Fname TEXT,
    Lname TEXT,
    Rank TEXT,
    DeptNo INTEGER REFERENCES Dept(DeptNo),
    Pay INTEGER
);

CREATE TABLE Student (
    StuID INTEGER PRIMARY KEY,
    Fname TEXT,
    Lname TEXT,
    Age INTEGER,
    Sex TEXT,
    Major INTEGER REFERENCES Dept(DeptNo),
    city_code TEXT,
    gpa REAL
);

CREATE TABLE Course (
    CID TEXT PRIMARY KEY,
    CName TEXT,
    Credits INTEGER,
    InstrID INTEGER REFERENCES Instructor(InstrID),
    Days TEXT
);

CREATE TABLE Enrolled_in (
    StuID INTEGER REFERENCES Student(StuID),
    CID TEXT REFERENCES Course(CID),
    Grade TEXT,
    PRIMARY KEY (StuID, CID)
);
