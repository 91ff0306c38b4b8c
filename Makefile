# Two commands do everything on a fresh Debian or Ubuntu machine with a Swift 6.3 toolchain: `make run` and `make test`.
SHELL := /bin/bash
export BILLFOLD_STRICT := 1

PYTHON := .build/python/bin/python
# Swift's runtime is linked in: calls into it are direct, and the program runs where no toolchain is.
RELEASE := scripts/swift build -c release --static-swift-stdlib

.PHONY: run tour test release bench soak docs format planted-bugs clean

## Builds for a first look, without optimisation, then serves and prints the console's address.
run:
	scripts/install-packages run
	@folder=$$(scripts/look) && LLVM_PROFILE_FILE=/dev/null exec "$$folder/billfold" serve

## Runs every journey with each party in a process of its own, and compares their books.
tour:
	scripts/install-packages run
	@folder=$$(scripts/look) && LLVM_PROFILE_FILE=/dev/null exec "$$folder/billfold" tour

## Builds what runs in production: .build/release/billfold, and billfold-mini-program for its workers.
release:
	scripts/install-packages run release
	$(RELEASE) --product billfold
	$(RELEASE) --product billfold-mini-program

## Installs what the tests need, builds, and runs them all.
test:
	scripts/install-packages run test
	scripts/test

## Measures throughput, latency and memory, and fails where a floor is missed.
bench:
	scripts/install-packages run release bench
	$(RELEASE) --product billfold-mini-program
	$(RELEASE) --product billfold-bench
	.build/release/billfold-bench

## Long fault, crash and fuzz runs; a short set of seeds is part of `make test`.
soak:
	scripts/install-packages run test
	scripts/soak

## Applies each known-bad patch in turn and demands that the suite catches it.
planted-bugs:
	scripts/install-packages run test
	scripts/planted-bugs

## Builds the documentation of every product, with warnings as errors.
docs:
	scripts/install-packages run
	scripts/documentation

format:
	swift format --in-place --recursive Sources Tests Examples Benchmarks Package.swift

clean:
	rm -rf .build
