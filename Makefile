# make            the quick check: format, lint, types, imports, fast tests
# make run        the Space on http://localhost:7860
# make test       everything, the browser journeys included
# make results    the official run, whose results ship with this version; goes on where it was stopped
# make gates | golden | bench | pictures | fmt | lock    see README.md, "Work on it"

VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev

.DEFAULT_GOAL := check
.DELETE_ON_ERROR:
.PHONY: check static run test wires journeys stores measures worlds manuals rules chromium postgres gates golden bench pictures results fmt lock

check: static
	$(BIN)/python -m pytest -m "not slow and not browser and not load"

static: $(DEV_STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

run: $(RUN_STAMP)
	@echo 'The page will be at http://localhost:'"$${PORT:-7860}"'/ui/'
	$(BIN)/python app.py

# Two at a time, the longest first, so that both lanes end together: servers and databases are waited for more than
# they compute. Playwright's loop must not share a process with others. `rules` finds what is not named here.
WIRES := tests/agents tests/api tests/contract
MANUALS := tests/docs tests/clients
OTHERS := tests/ui tests/instances tests/evals tests/envs $(WIRES) $(MANUALS)

# A matrix library that waits for its second thread takes ten times the processor time, and the other lane's core.
wires journeys stores measures worlds manuals rules: export OPENBLAS_NUM_THREADS := 1

test: static chromium postgres
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target wires journeys stores measures worlds manuals rules

wires: $(DEV_STAMP)
	$(BIN)/python -m pytest $(WIRES)

journeys: $(DEV_STAMP)
	$(BIN)/python -m pytest tests/ui

stores: $(DEV_STAMP)
	$(BIN)/python -m pytest tests/instances

measures: $(DEV_STAMP)
	$(BIN)/python -m pytest tests/evals

worlds: $(DEV_STAMP)
	$(BIN)/python -m pytest tests/envs

manuals: $(DEV_STAMP)
	$(BIN)/python -m pytest $(MANUALS)

rules: $(DEV_STAMP)
	$(BIN)/python -m pytest $(addprefix --ignore=,$(OTHERS))

# Debian's browser, because Playwright's own download is neither packaged nor pinned by the system.
chromium:
	@command -v chromium >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	    && apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; \
	then exit 0; fi; \
	echo '*************************************************************************' >&2; \
	echo '** chromium is not installed: THE BROWSER JOURNEYS WILL BE SKIPPED.    **' >&2; \
	echo '** On Debian: sudo apt-get install chromium, then make test once more. **' >&2; \
	echo '*************************************************************************' >&2

# A real server for the tests of the store; they start and stop it by themselves, as the user `postgres`.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && exit 0; command -v initdb >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	    && apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; \
	then exit 0; fi; \
	echo '*******************************************************************************' >&2; \
	echo '** PostgreSQL is not installed: ITS HALF OF THE STORE TESTS WILL BE SKIPPED. **' >&2; \
	echo '** On Debian: sudo apt-get install postgresql, then make test once more.     **' >&2; \
	echo '*******************************************************************************' >&2

gates: $(DEV_STAMP)
	$(BIN)/python -m evals gates

golden: $(DEV_STAMP)
	$(BIN)/python -m tests.golden

bench: $(DEV_STAMP)
	$(BIN)/python -m benchmarks

pictures: $(DEV_STAMP) chromium
	$(BIN)/python -m tests.ui.pictures

# Say `make results SEEDS=1000` for more cases; a breached gate is kept, shown, and the exit status.
SEEDS := 300
results: $(DEV_STAMP)
	$(BIN)/python -m ui.results --seeds $(SEEDS)

fmt: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The .in files say what we chose; this writes what pip installs. Say `make lock UPGRADE=--upgrade` for newer transitive pins.
lock: $(DEV_STAMP)
	for name in requirements requirements-dev; do \
	    $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --annotation-style line \
	        --custom-compile-command "make lock" $(UPGRADE) $$name.in --output-file $$name.txt || exit 1; \
	done

# python3.11 first: it is what the Space runs. Each is tried, because a shim may exist without a Python behind it.
$(VENV)/pyvenv.cfg:
	@for python in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        echo "$$python -m venv $(VENV)"; \
	        $$python -m venv --clear $(VENV) && exit 0; \
	        rm -rf $(VENV); \
	        echo "$$python cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; \
	    fi; \
	done; \
	echo 'Auditorium needs Python 3.11 or newer; none of python3.11 … python3.14, python3, python is.' >&2; exit 1

$(RUN_STAMP): requirements.txt $(VENV)/pyvenv.cfg
	@echo 'Installing into $(VENV); this takes a minute or two.'
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@touch $@

$(DEV_STAMP): requirements-dev.txt $(RUN_STAMP)
	$(BIN)/python -m pip install --quiet --requirement requirements.txt --requirement requirements-dev.txt
	@touch $@
