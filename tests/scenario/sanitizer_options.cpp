// Thousands of lives pass here, under the address sanitizer as everything else; what costs half of its time and every
// other suite checks as well is left to those: stack frames kept after their return, and allocation traces.
// ASAN_OPTIONS=malloc_context_size=30 brings the traces back for a failure that needs them.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
  return "malloc_context_size=1:detect_stack_use_after_return=0";
}
#endif
#endif
