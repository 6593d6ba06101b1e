# `make serve` and `make test` do all that is needed on a machine that has
# Python 3.11 or newer with venv, gcc and make; the rest is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find engine server bridge \( -path engine/train -o -path server/web \) -prune -o -name '*.py' -print -o -name '*.pxd' -print -o -name '*.network' -print)
TRAINER := build/train
# The page in the browser: from here, into the package of the server.
WEB := $(shell find server/web -name node_modules -prune -o -type f -print)

# Images of Python for containers set it, and each of the many programs of a test run would compile
# all its modules again: 0.3 s of CPU for every start of the server.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help build serve test container-test chart-test gui-test systemd-test network-test dist dist-test sbom coverage check lint types types-windows lint-web layers signature bench endure soak fuzz sprt gauntlet tune train zipapp executable lock clean

help:
	@echo 'make serve   build, start the server on this machine and say where it is'
	@echo 'make test    build and run all tests'
	@echo 'make container-test  build the image with docker or podman, run it, play through it'
	@echo 'make chart-test  render the Helm chart, validate it, and run the server as it says'
	@echo 'make gui-test  play in PyChess, on a screen that nobody sees'
	@echo 'make systemd-test  run the units under a systemd in namespaces of its own, as root'
	@echo 'make network-test  a server and a guest in two network namespaces, as root'
	@echo 'make coverage  all tests, and which lines of each module they ran'
	@echo 'make check   lint, prose, types, layering'
	@echo 'make bench   compare the relay and the engine with others, side by side'
	@echo 'make endure  make trouble for a server of every kind, and see what is left of it'
	@echo 'make soak    the same for an hour: 50 sessions that search, are cut and come back'
	@echo 'make fuzz    feed every grammar with what means nothing, for 10 minutes'
	@echo 'make sprt    play this build against a revision: make sprt BASE=main ARGS="--openings FILE"'
	@echo 'make gauntlet  play this build against other engines'
	@echo 'make tune    tune constants of the search by playing: ARGS="--only pruning.NULL_STEP"'
	@echo 'make signature  compare the bench with the newest Bench: line of the history'
	@echo 'make train   make a network for the engine, by ARGS="generate|pack|collect|label|fit|show|probe ..."'
	@echo 'make zipapp  the bridge as one file, dist/rookery-bridge.pyz, for machines with a Python only'
	@echo 'make executable  the bridge, and `join`, as programs that need no Python: dist/, for this system'
	@echo 'make build   leave rookery-engine, rookery-server and rookery-bridge in $(BIN)'
	@echo 'make dist    wheel and source distribution in dist/, for other machines; docs/releasing.md'
	@echo 'make dist-test  install them where nothing of the source is, and use them'
	@echo 'make sbom    what the wheel is made of, and the image: IMAGE=name'
	@echo 'make lock    choose anew what is in the image, each file with its hash: docker/lock'
	@echo 'make clean   remove all that was built'

build: $(VENV)/built $(VENV)/web

serve: build
	@exec $(BIN)/rookery-server serve $(ARGS)

# Tests side by side, as tests/helpers/spread.py says; `PARALLEL=` is one after the other.
PARALLEL ?= -n auto

test: build $(VENV)/dev $(TRAINER)/built
	$(BIN)/python tools/web.py test
	$(BIN)/python -m pytest $(PARALLEL) --durations=15 $(ARGS)

# CONTAINER=program IMAGE=image: another container engine, an image that is there.
container-test: build $(VENV)/dev
	$(BIN)/python -m pytest -s tests/image $(ARGS)

chart-test: build $(VENV)/dev
	@$(BIN)/pip install --quiet --disable-pip-version-check --group chart
	$(BIN)/python -m pytest $(PARALLEL) tests/chart $(ARGS)

systemd-test: build $(VENV)/dev
	$(BIN)/python -m pytest tests/systemd $(ARGS)

network-test: build $(VENV)/dev
	$(BIN)/python -m pytest tests/network $(ARGS)

# A chess program that is large to install: apt install pychess xvfb imagemagick stockfish
gui-test: build $(VENV)/dev
	$(BIN)/python -m pytest tests/e2e/gui $(ARGS)

coverage: build $(VENV)/dev $(TRAINER)/built
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# What the server does not need runs on Windows, too, where parts of Python are missing.
FOR_ALL_SYSTEMS = uci protocol bridge engine

check: lint types types-windows lint-web layers

lint: build $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/python tools/prose.py

types: build $(VENV)/dev $(TRAINER)/built
	$(BIN)/mypy

types-windows: build $(VENV)/dev
	$(BIN)/mypy --platform win32 --cache-dir build/mypy-win32 $(addprefix -p rookery_,$(FOR_ALL_SYSTEMS))

lint-web: build $(VENV)/dev
	$(BIN)/python tools/web.py check

layers: build $(VENV)/dev $(TRAINER)/built
	PYTHONPATH=$(TRAINER)/lib $(BIN)/lint-imports --verbose

bench: build $(VENV)/dev
	$(BIN)/python -m bench $(ARGS)

endure: build $(VENV)/dev
	$(if $(ARGS),,$(BIN)/python -m pytest $(PARALLEL) -m long)
	$(BIN)/python -m bench.endure $(ARGS)

soak: build $(VENV)/dev
	$(BIN)/python -m bench.endure --soak 3600 --sessions 50 --svg bench/out/soak.svg $(ARGS)

fuzz: build $(VENV)/dev
	@$(BIN)/pip install --quiet --disable-pip-version-check --group fuzz
	$(BIN)/python -m bench.fuzz $(ARGS)

# BASE is what the working tree is compared with: a revision, or "base", which is
# where this branch left main (on main itself, the commit before).
BASE ?= base
sprt: build $(VENV)/dev
	$(BIN)/python -m bench.match sprt --old rev:$(BASE) $(ARGS)

gauntlet: build $(VENV)/dev
	$(BIN)/python -m bench.match gauntlet $(ARGS)

tune: build $(VENV)/dev
	$(BIN)/python -m bench.match tune $(ARGS)

signature: build
	$(BIN)/python tools/signature.py

train: build $(TRAINER)/built
	@PYTHONPATH=$(TRAINER)/lib exec $(BIN)/python -m train $(or $(ARGS),--help)

zipapp: build
	@$(BIN)/python tools/single.py

$(VENV)/executable: $(VENV)/built pyproject.toml
	@$(BIN)/pip install --quiet --disable-pip-version-check --group executable
	@touch $@

executable: build $(VENV)/executable
	@$(BIN)/python tools/executable.py

$(VENV)/release: $(VENV)/built pyproject.toml
	@$(BIN)/pip install --quiet --disable-pip-version-check --group release
	@touch $@

# The wheel is built from the source distribution, so that this has all that it takes.
dist: build $(VENV)/release
	@test -f server/rookery_server/web/index.html || { echo 'the page is not built'; exit 1; }
	@rm -rf build/dist dist/rookery_chess-*.whl dist/rookery_chess-*.tar.gz
	@mkdir -p dist
	ROOKERY_MARCH=portable $(BIN)/pyproject-build --outdir build/dist >build/dist.log 2>&1 \
	    || { cat build/dist.log; exit 1; }
	@mv build/dist/*.tar.gz dist/
	@if [ "$$(uname)" = Linux ]; \
	    then PATH="$(abspath $(BIN)):$$PATH" auditwheel repair --wheel-dir dist build/dist/*.whl 2>build/repair.log \
	        || { cat build/repair.log; exit 1; }; \
	    else mv build/dist/*.whl dist/; fi
	@ls -l dist

dist-test: build $(VENV)/dev $(VENV)/release $(VENV)/executable
	$(BIN)/python -m pytest -s tests/released $(ARGS)

# Of the wheel, and of the image if one is named: make sbom IMAGE=rookery
sbom: build $(VENV)/release
	$(BIN)/python tools/sbom.py wheel "$$(ls dist/rookery_chess-*.whl)" dist/rookery-wheel.cdx.json
	$(if $(IMAGE),$(BIN)/python tools/sbom.py image $(IMAGE) dist/rookery-image.cdx.json)

# The newest that pyproject.toml allows, for every processor that the image is built for.
LOCK = UV_CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/uv pip compile --quiet --upgrade --universal \
    --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links
lock: build $(VENV)/release
	$(LOCK) pyproject.toml --extra postgres --extra broker -o docker/lock/server.txt
	$(LOCK) pyproject.toml --extra postgres --extra broker --extra ray -c docker/lock/server.txt -o docker/lock/ray.txt
	$(LOCK) docker/lock/build.in -o docker/lock/build.txt

clean:
	rm -rf $(VENV) build dist *.egg-info server/rookery_server/web server/web/node_modules

# The environment and the tools that build; only when it is missing or they change.
$(VENV)/tools: pyproject.toml tools/preflight.py
	@$(PYTHON) tools/preflight.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo 'setting up $(VENV) ...'
	@$(BIN)/pip install --quiet --disable-pip-version-check 'pip>=25.1' 'setuptools>=77' 'Cython>=3.3,<4'
	@touch $@

# "strict" links each file into one folder: starting a program then takes 15 ms
# less than with the default kind of editable install, which imports a finder.
# An older checkout has installed the same programs as `rookery`.
$(VENV)/built: $(VENV)/tools setup.py $(SOURCES)
	@echo 'building (a minute the first time) ...'
	@$(BIN)/pip uninstall --quiet --yes rookery 2>$(VENV)/build.log
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation \
	    --config-settings editable_mode=strict --editable . 2>$(VENV)/build.log \
	    || { cat $(VENV)/build.log; exit 1; }
	@touch $@

# Without Node.js or a network there is no such page, and the server shows a plain one.
$(VENV)/web: $(VENV)/tools tools/web.py $(WEB)
	@$(BIN)/python tools/web.py build
	@touch $@

$(VENV)/dev: $(VENV)/built pyproject.toml
	@echo 'installing the tools for tests and checks ...'
	@$(BIN)/pip install --quiet --disable-pip-version-check --group dev
	@touch $@

# The trainer is no part of what is installed: it is built aside.
$(TRAINER)/built: $(VENV)/built $(wildcard engine/train/*.py engine/train/*.pxd engine/train/*.epd)
	@echo 'building the trainer ...'
	@mkdir -p $(TRAINER)
	@cd engine/train && ../../$(BIN)/python setup.py --quiet build --build-lib ../../$(TRAINER)/lib \
	    --build-temp ../../$(TRAINER)/objects >../../$(TRAINER)/build.log 2>&1 \
	    || { cat ../../$(TRAINER)/build.log; exit 1; }
	@touch $@
