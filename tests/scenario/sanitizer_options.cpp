// Thousands of lives pass here, under the address sanitizer as everything else; what costs half of its time and every
// other suite checks as well is left to those: long allocation traces, and stack frames kept after their return.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "malloc_context_size=3:detect_stack_use_after_return=0";
}
#endif
#endif
