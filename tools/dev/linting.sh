# The two halves of ./dev lint: what is seen from the text alone, and what needs a build.

lint_text() {
  echo "format";          git ls-files -- '*.cpp' '*.hpp' | xargs clang-format-19 --dry-run --Werror
  echo "layers";          tools/check_layers.py
  echo "spec citations";  tools/check_spec_refs.py
  echo "spec tests";      tools/check_spec_tests.py
  echo "error docs";      tools/check_error_docs.py
  echo "metrics docs";    tools/check_metrics_docs.py
  echo "shell syntax";    git ls-files -- '*.sh' dev .ci/run | xargs -n1 bash -n
  echo "python syntax";   git ls-files -- '*.py' | xargs -r -n1 python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])'
}

# --all: tests and the static analyzer as well.
lint_built() {
  build_preset dev crdgen manifestgen
  echo "generated files"; build/dev/bin/crdgen --check crds; build/dev/bin/manifestgen --check deploy
  echo "clang-tidy";      tools/tidy.py "$@"
}
