# Formatting, folder layers, citations, generated files, clang-tidy. --all: tests and the static analyzer as well.

. tools/dev/linting.sh
lint_text
lint_built ${1:+"$1"}
