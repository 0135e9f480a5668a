CREATE TABLE office (
    office_id INTEGER PRIMARY KEY,
    city TEXT,
    country TEXT,
    size_sqm INTEGER
);

CREATE TABLE employees (
    employee_id INTEGER PRIMARY KEY,
    full_name TEXT,
    job_title TEXT,
    salary INTEGER,
    hire_date DATE,
    office_id INTEGER REFERENCES office(office_id),
    manager_id INTEGER REFERENCES employees(employee_id)
);

CREATE TABLE projects (
    project_id INTEGER PRIMARY KEY,
    project_name TEXT,
    budget INTEGER,
    start_date DATE,
    status TEXT
);

CREATE TABLE assignments (
    employee_id INTEGER REFERENCES employees(employee_id),
    project_id INTEGER REFERENCES projects(project_id),
    hours INTEGER,
    role TEXT
);

CREATE TABLE certificates (
    certificate_id INTEGER PRIMARY KEY,
    employee_id INTEGER REFERENCES employees(employee_id),
    title TEXT,
    issued_year INTEGER
);
