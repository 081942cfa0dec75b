#include "bmc/redfish/retry_after.hpp"

#include "base/text.hpp"

#include <charconv>
#include <ctime>

namespace ingot::bmc::redfish {

namespace {

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<std::chrono::seconds> dateOf(const std::string& text) {
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::seconds(timegm(&parts));
}

}  // namespace

std::optional<base::Duration> retryAfter(const net::HttpResponse& response, base::WallTime now) {
  const std::string text(base::trimmed(response.headers.get("Retry-After")));
  std::int64_t seconds = 0;
  const auto* end = text.data() + text.size();
  if (const auto [stop, ec] = std::from_chars(text.data(), end, seconds); ec == std::errc() && stop == end)
    return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, 86400));
  const auto until = dateOf(text);
  if (!until) return std::nullopt;
  const auto from =
      dateOf(response.headers.get("Date")).value_or(std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()));
  return std::clamp<std::chrono::seconds>(*until - from, std::chrono::seconds(0), std::chrono::hours(24));
}

}  // namespace ingot::bmc::redfish
