# make start   environment, workspace, first exercise
# make test    the reference against every test, the course tool, the notebooks

PYTHON ?= python3
RUN = .venv/bin/python

.PHONY: start test demo proof proof-full lint notebooks bench install

start: install
	@$(RUN) -m course start

test: install
	@$(RUN) -m course.authors.suites test

# A trained model speaks; then a small one learns to reverse words, in half a minute.
demo: install
	@$(RUN) -m stage5_transformer pronounce glassbox transformer gradient knight
	@OPENBLAS_NUM_THREADS=1 $(RUN) -m stage5_transformer train reverse --folder "$$(mktemp -d)/reverse"

# For authors and CI: proof takes seeded samples of what is long, proof-full all of it.
proof proof-full: install
	@$(PYTHON) course/install.py proof
	@$(RUN) -m course.authors.suites $@

lint: install
	@$(PYTHON) course/install.py lint
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m pyright

notebooks: install
	$(RUN) -m course.authors.notebooks

bench: install
	@$(PYTHON) course/install.py bench
	$(RUN) -m benchmarks

install:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: expected a command $(PYTHON), got none; get Python 3.11 or newer from"; \
	  echo "https://www.python.org/downloads, or name yours: make start PYTHON=..."; exit 2; }
	@$(PYTHON) course/install.py course
