#include "coordinator/own_calls.hpp"

#include "base/version.hpp"

#include <fmt/format.h>

namespace ingot::coordinator {
namespace {

#if defined(__aarch64__)
constexpr std::string_view kPlatform = "linux/arm64";
#else
constexpr std::string_view kPlatform = "linux/amd64";
#endif

}  // namespace

kube::ApiOptions ownCalls() {
  return {.userAgent = fmt::format("ingot-coordinator/{} ({})", base::version, kPlatform), .fieldManager = "ingot"};
}

}  // namespace ingot::coordinator
