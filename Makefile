# SPDX-License-Identifier: LGPL-2.1-or-later
# Thin: Meson builds, tools/ holds the steps. On a fresh Debian 12 or 13, as root, `make demo` and `make check` need nothing else.

BUILD ?= build

.PHONY: all setup demo check lab bench fuzz install clean

all: $(BUILD)/build.ninja
	meson compile -C $(BUILD)

$(BUILD)/build.ninja: | setup
	meson setup $(BUILD)

setup:
	tools/setup

demo: all
	tools/demo $(BUILD)

check: all
	tools/check $(BUILD)

lab: all
	tests/lab/run $(BUILD)

bench: all
	tests/bench/growth $(BUILD)
	env $$(tools/oracles) tests/bench/run $(BUILD)
	tests/bench/lab $(BUILD)

fuzz: setup
	tools/fuzz

install: all
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD) $(BUILD)-*
