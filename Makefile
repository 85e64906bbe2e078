# Plyhouse: every command builds what it needs first. Stamps in .build/ let a second run skip that.
#
#   make serve [HOST=127.0.0.1] [PORT=8000]    build, then serve the page and the sockets
#   make test [TESTS=quick]                    build, then run the tests: Rust, web, Python; TESTS=all: slow ones too
#   make soak                                  build, then run the tests that take minutes, and let services fail
#   make test-training                         install torch and Ray, then run the tests of training and of clusters
#   make check                                 lint, types, layers, stubs
#   make fmt | bench | wheel | lock | clean    format | run benchmarks | build a wheel | lock requirements | clean up

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
# Many processes import the same files: compile them once.
unexport PYTHONDONTWRITEBYTECODE
# The core and the web page are independent: build them in parallel.
MAKEFLAGS += --jobs=2 --no-print-directory
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1

HOST ?= 127.0.0.1
PORT ?= 8000
# A folder of web/src/texts.
PAGE_LANGUAGE ?= en
# quick leaves out what is marked as slow, which takes as long again; continuous integration runs all.
TESTS ?= quick
BIN := .venv/bin
# Five processes run the test files, even on two cores: tests wait for timers and other processes half of the time.
# Each file runs in one process, as its fixtures are created once per process; tests/conftest.py orders the files.
PYTEST := $(BIN)/pytest --numprocesses=5 --dist=loadfile --no-loadscope-reorder --ignore=tests/training
QUICK := $(if $(filter quick,$(TESTS)),-m 'not slow and not soak')
CARGO := --manifest-path engines/core/Cargo.toml --locked
PY_DIRS := $(wildcard commands programs server drivers plyhouse protocols engines tests benchmarks tools examples)
# Folders are listed too: their time changes when files are added or removed.
CORE_SOURCES := $(shell find engines/core/src engines/core/Cargo.toml engines/core/Cargo.lock)
WEB_SOURCES := $(shell find docs examples Caddyfile web/src web/public web/index.html web/*.ts web/tsconfig.json -not -name '*.pyc' 2>/dev/null)

.PHONY: build core web test-system test-training serve test soak check fmt bench wheel lock clean

build: core web
core: .build/core
web: .build/web.$(PAGE_LANGUAGE)

.build/system: tools/system.sh tools/find_python.sh
	@tools/system.sh build
	@mkdir -p .build && touch $@

.build/python: requirements.lock tools/find_python.sh | .build/system
	[ -x $(BIN)/python ] || "$$(tools/find_python.sh)" -m venv .venv
	$(BIN)/pip install --requirement requirements.lock
	@touch $@

.build/core: $(CORE_SOURCES) pyproject.toml .build/python
	env -u MAKEFLAGS VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --release --locked --quiet
	@touch $@

.build/npm: web/package.json web/package-lock.json web/.npmrc | .build/system
	npm --prefix web ci --ignore-scripts --no-fund --no-audit --loglevel=error
	@touch $@

.build/web.$(PAGE_LANGUAGE): $(WEB_SOURCES) .build/npm
	@rm -f .build/web*
	PAGE_LANGUAGE=$(PAGE_LANGUAGE) npm --prefix web run --silent build
	@touch $@

# After the other system packages: apt-get cannot run twice at the same time.
test-system: | .build/system
	@tools/system.sh tests

# `cargo test` compiles them as well; continuous integration does it beside the core.
.build/core-tests: $(CORE_SOURCES) | .build/system
	cargo test --quiet --no-run $(CARGO)
	@touch $@

serve: build
	@exec $(BIN)/plyhouse serve --host $(HOST) --port $(PORT)

# Trains small networks, and starts clusters of Ray. Not part of `make test`: torch takes gigabytes.
test-training: build
	$(BIN)/pip install "torch>=2.9" "onnxscript>=0.5" "matplotlib>=3.10" "pandas>=2.3" "ray[client]>=2.60" \
		"stable-baselines3>=2.7" "sb3-contrib>=2.7"
	$(BIN)/pytest tests/training

# pytest comes last, so that its summary closes the output. The others leave a core idle at their beginnings and ends.
test: build test-system
	@tools/each.sh \
		"tools/each.sh --jobs 2 'cargo test --quiet $(CARGO)' 'npm --prefix web run --silent test'" \
		"$(PYTEST) $(QUICK)"

# With fifteen times as many examples for each law. Not part of `make test`: it takes minutes.
soak: build test-system
	@tools/each.sh \
		"$(PYTEST) -m 'soak or hypothesis' --hypothesis-profile=thorough --timeout=900" \
		"$(BIN)/python -m benchmarks.faults --kills 16" \
		"$(BIN)/python -m benchmarks.frames --frames 50000" \
		"$(BIN)/python -m benchmarks.longest_block" \
		"$(BIN)/python -m benchmarks.attacks --seconds 2" \
		"$(BIN)/python -m benchmarks.endurance --minutes 2"

# The longest ones first.
check: build
	@tools/each.sh --jobs 2 \
		"cargo clippy $(CARGO) --all-targets --all-features -- -D warnings" \
		"$(BIN)/mypy $(PY_DIRS)" \
		"npm --prefix web run --silent lint" \
		"npm --prefix web run --silent types" \
		"npm --prefix web run --silent format" \
		"$(BIN)/stubtest engines._core" \
		"$(BIN)/lint-imports" \
		"$(BIN)/ruff check $(PY_DIRS)" \
		"$(BIN)/ruff format --check $(PY_DIRS)" \
		"cargo fmt --manifest-path engines/core/Cargo.toml --check"

fmt: build
	$(BIN)/ruff format $(PY_DIRS)
	$(BIN)/ruff check --fix $(PY_DIRS)
	cargo fmt --manifest-path engines/core/Cargo.toml
	npm --prefix web run --silent fix

bench: build
	@tools/each.sh "cargo bench $(CARGO) --features bench" "$(BIN)/python -m benchmarks"

wheel: build
	env -u MAKEFLAGS $(BIN)/maturin build --release --locked --out dist
	@$(BIN)/python tools/check_wheel.py dist

# Resolve on the oldest supported Python: newer ones need fewer packages.
lock: .build/system
	"$$(tools/find_python.sh)" tools/lock.py

clean:
	rm -rf .build .venv dist plyhouse/page engines/pictures/script web/node_modules engines/core/target engines/*.so
