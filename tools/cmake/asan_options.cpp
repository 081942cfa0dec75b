// AddressSanitizer asks a program of the dev build for its options here.

extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier): its name

// What a test run leaves to `./dev test long`, for a quarter of its time: the use of a stack frame after its return, a
// pattern in fresh memory, and where memory was allocated. Those of the environment come last, and win:
// ASAN_OPTIONS=malloc_context_size=30 tells the latter of a failure that needs it.
extern "C" __attribute__((no_sanitize("address", "undefined"), used)) const char* __asan_default_options() {
  return "malloc_context_size=1:max_malloc_fill_size=0:detect_stack_use_after_return=0";
}
