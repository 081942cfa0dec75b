// AddressSanitizer asks a program of the dev build for its options here.

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): its name
extern "C" const char* __asan_default_options();

// What a test run leaves to `./dev test long`, for a third of its time: the use of a stack frame after its return, a
// pattern in fresh memory, where memory was allocated, and a watch of 256 MiB over what was freed, which takes memory
// that no cache holds for each allocation. Those of the environment come last, and win:
// ASAN_OPTIONS=malloc_context_size=30 tells where memory was allocated of a failure that needs it.
extern "C" __attribute__((no_sanitize("address", "undefined"), used)) const char* __asan_default_options() {
  return "malloc_context_size=1:max_malloc_fill_size=0:detect_stack_use_after_return=0:quarantine_size_mb=4";
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
