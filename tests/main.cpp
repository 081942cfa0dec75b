// The entry point of every test program. A run without a single case is a failure, whoever starts it.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <algorithm>

namespace {

constexpr int kNoTests = 2;  // as Catch2 ends when a filter matches nothing

// Catch2 sees an empty filter, but not a program without cases.
bool hasCases(Catch::Session& session) {
  if (session.config().hasTestFilters()) return true;
  return std::ranges::any_of(Catch::getAllTestCasesSorted(session.config()),
                             [](const auto& test) { return !test.isHidden(); });
}

}  // namespace

int main(int argc, char** argv) {
  Catch::Session session;
  session.configData().warnings = Catch::WarnAbout::NoTests;
  if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
  const int failed = session.run();
  return failed == 0 && !hasCases(session) ? kNoTests : failed;
}
