# Every target sets up what it needs in .venv; only Python 3.11+ and make must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DISTRIBUTIONS := core index retrieval mcp eval
EDITABLE := $(foreach name,$(DISTRIBUTIONS),-e packages/$(name))
DEMO := .demo
CONFORMANCE := tests/conformance
JSON ?= .benchmarks/latest.json

.PHONY: setup demo test lint format eval eval-public eval-significance eval-peer eval-published fit-confidence readme bench bench-scale bench-dense bench-serve formats fuzz faults soak lock build clean clients conformance schemathesis

setup: $(READY)

$(BIN)/uv:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "groundkit needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(READY): $(BIN)/uv requirements.lock pyproject.toml $(wildcard packages/*/pyproject.toml)
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation $(EDITABLE)
	$(BIN)/python -m compileall -q $(foreach name,$(DISTRIBUTIONS),packages/$(name)/src)
	touch $(READY)

demo: $(READY)
	$(BIN)/python scripts/demo.py

test: $(READY)
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest -q
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Both golden sets; the second is about this repository, and is skipped where git tracks none.
eval: $(READY)
	$(BIN)/groundkit-eval run --corpus evals/corpus --judgments evals/judgments.jsonl
	$(BIN)/python -m evals.dogfood || test $$? -eq 3

# The public sets of ../shared/data: nDCG@10 by stage, and how well the gate abstains.
eval-public: $(READY)
	$(BIN)/python -m evals.public --model "$$($(BIN)/python tests/index/embedders/weights.py)" --check

# Published figures for scifact, and ours beside them.
eval-published: $(READY)
	$(BIN)/python -m evals.public.published --model "$$($(BIN)/python tests/index/embedders/weights.py)"

# This engine and the peer, each over its own MCP server, on the same judgments.
eval-peer: $(READY)
	$(BIN)/python -m scripts.peer_evaluation --update docs/benchmarks.md

# Simulated comparisons: the significance test's error rate, and what the intervals cover.
eval-significance: $(READY)
	$(BIN)/python -m scripts.significance $(if $(COMPARISONS),--comparisons $(COMPARISONS))

# Fits the confidence gate's coefficients anew on the train half of the public queries.
fit-confidence: $(READY)
	$(BIN)/python -m evals.public.fit --model "$$($(BIN)/python tests/index/embedders/weights.py)"

# Renders docs/operations.md, and puts transcripts and the table of the evaluation into pages.
readme: $(READY)
	$(BIN)/python -m scripts.operations_reference
	$(BIN)/python -m scripts.access_transcript
	$(BIN)/python scripts/transcript.py
	$(BIN)/groundkit-eval run --corpus evals/corpus --judgments evals/judgments.jsonl --json $(DEMO)/eval.json \
		--embedder onnx --model "$$($(BIN)/python tests/index/embedders/weights.py)" --reranker maxsim
	$(BIN)/groundkit-eval table $(DEMO)/eval.json --update README.md

bench: $(READY)
	$(BIN)/python -m scripts.bench $(if $(PEER),--peer) --json $(JSON) $(if $(CORPUS),--corpus $(CORPUS))

# Refreshes uv.lock, which stays out of git, and requirements.lock, which holds no addresses.
lock: $(BIN)/uv
	$(BIN)/uv lock --quiet --upgrade
	$(BIN)/uv export --quiet --frozen --all-packages --all-extras --no-emit-workspace --no-header \
		--no-annotate --output-file requirements.lock

# The long runs of tests/faults and tests/soak; `make test` runs short ones.
faults: $(READY)
	GROUNDKIT_FAULT_KILLS=200 $(BIN)/python -m pytest -q -s tests/faults

soak: $(READY)
	GROUNDKIT_SOAK_SECONDS=300 $(BIN)/python -m pytest -q -s tests/soak

# Corpora of 10 k, 100 k and 1 M chunks; SIZES="10k 100k" measures fewer.
bench-scale: $(READY)
	$(BIN)/python -m scripts.scale $(if $(SIZES),--sizes $(SIZES)) --update docs/scale.md

# Dense and hybrid search over 100 k chunks, and an index over LARGE vectors [250000].
bench-dense: $(READY)
	$(BIN)/python -m scripts.dense $(if $(LARGE),--large $(LARGE)) --update docs/benchmarks.md

# The service over REST and MCP beside the same searches in the process; PEER=1 adds the peer.
bench-serve: $(READY)
	$(BIN)/python -m scripts.serving $(if $(CORPUS),--corpus $(CORPUS)) $(if $(PEER),--peer)

# The public MCP conformance suites and the clients that the tests use; npm must be there, and
# brings the Node that they need.
$(CONFORMANCE)/node_modules/.ready: $(CONFORMANCE)/package.json
	npm install --prefix $(CONFORMANCE) --no-package-lock --no-audit --no-fund --loglevel error
	touch $@

clients: $(CONFORMANCE)/node_modules/.ready

conformance: $(READY) clients
	$(BIN)/python -m tests.conformance.run

# schemathesis, in an environment of its own, over /openapi.json of a running server.
$(CONFORMANCE)/.venv/.ready: $(BIN)/uv
	$(BIN)/python -m venv $(CONFORMANCE)/.venv
	$(BIN)/uv pip install --quiet --python $(CONFORMANCE)/.venv/bin/python schemathesis==4.32.5
	touch $@

schemathesis: $(READY) $(CONFORMANCE)/.venv/.ready
	$(BIN)/python -m tests.conformance.openapi

# Every format over the documents in Debian packages, or over CORPUS; skipped without apt.
formats: $(READY)
	$(BIN)/python -m scripts.formats $(if $(CORPUS),--corpus $(CORPUS)) --update docs/formats.md

# Damaged documents of every format; COUNT and SEED give more and others.
fuzz: $(READY)
	$(BIN)/python -m scripts.fuzz $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

build: $(READY)
	$(BIN)/python scripts/build.py

clean:
	rm -rf $(VENV) $(DEMO) dist $(CONFORMANCE)/.venv $(CONFORMANCE)/node_modules
