CREATE TABLE Departments (
    DeptID INTEGER PRIMARY KEY,
    DeptName TEXT,
    Floor INTEGER,
    Budget REAL
);

CREATE TABLE Physicians (
    PhysicianID INTEGER PRIMARY KEY,
    FirstName TEXT,
    LastName TEXT,
    Specialty TEXT,
    DeptID INTEGER,
    Salary INTEGER,
    HireDate DATE,
    FOREIGN KEY (DeptID) REFERENCES Departments(DeptID)
);

CREATE TABLE Patients (
    PatientID INTEGER PRIMARY KEY,
    FirstName TEXT,
    LastName TEXT,
    Gender TEXT,
    DateOfBirth DATE,
    City TEXT,
    BloodType TEXT,
    Weight REAL
);

CREATE TABLE Appointments (
    AppointmentID INTEGER PRIMARY KEY,
    PatientID INTEGER,
    PhysicianID INTEGER,
    VisitDate DATE,
    Status TEXT,
    Charge REAL,
    FOREIGN KEY (PatientID) REFERENCES Patients(PatientID),
    FOREIGN KEY (PhysicianID) REFERENCES Physicians(PhysicianID)
);
