#include "coordinator/ipam/refusal.hpp"

#include "base/cut_text.hpp"
#include "base/url_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::ipam {

namespace {

constexpr std::size_t kLongest = 256;  // an annotation may be longer than all that a status can hold

constexpr std::string_view kFailed = "AllocationFailed", kExhausted = "PoolExhausted";

struct Words {
  Refusal refusal;
  std::string_view message, logText, reason;
  bool passes = false;  // it may end by itself when addresses come free
};

constexpr Words kWords[] = {
    {Refusal::invalidRequest, "Invalid ipAddress annotation {}: not a valid IP address",
     "Invalid ipAddress annotation {}: not a valid IP address", kFailed},
    {Refusal::conflictingRequest, "PreAllocation and requested ip address are conflicting",
     "PreAllocation and requested ip address are conflicting", kFailed},
    {Refusal::requestedNotAvailable, "Requested IP not available", "requested IP not available", kFailed, true},
    {Refusal::preAllocatedOutOfBounds, "Pre-allocated IP out of bounds", "pre-allocated IP out of bounds", kFailed},
    {Refusal::exhausted, "Exhausted IP Pools", "exhausted IP pools", kExhausted, true},
    {Refusal::invalidPrefix, "Invalid prefix value, it must be between 0 and 128",
     "invalid prefix value, it must be between 0 and 128", kFailed},
    {Refusal::notCreated, "Failed to create associated IPAddress object",
     "failed to create the associated IPAddress object", kFailed},
    {Refusal::notRead, "Failed to get associated IPAddress object", "failed to get the associated IPAddress object",
     kFailed},
    {Refusal::notDeleted, "Failed to delete associated IPAddress object",
     "failed to delete the associated IPAddress object", kFailed},
};

const Words& wordsOf(Refusal refusal) {
  return *std::ranges::find(kWords, refusal, &Words::refusal);  // there is a row for each
}

std::string filled(std::string_view text, const std::string& requested) {
  return base::cutText(fmt::format(fmt::runtime(text), base::url_text::quoted(requested)), kLongest);
}

}  // namespace

std::string Refused::message() const { return filled(wordsOf(why).message, requested); }
std::string Refused::logText() const { return filled(wordsOf(why).logText, requested); }
std::string_view Refused::reason() const { return wordsOf(why).reason; }

bool endsWhenAddressesAreFree(std::string_view message) {
  return std::ranges::any_of(kWords, [&](const Words& words) { return words.passes && words.message == message; });
}

}  // namespace ingot::coordinator::ipam
