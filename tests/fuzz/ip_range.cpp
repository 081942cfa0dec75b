// Addresses, prefixes and ranges as a user may write them: the first line is the start, the second the end, the third
// the subnet. What is read is written back as the same value; a range gives out nothing that it does not hold.
#include "api/ipam/admission.hpp"
#include "api/ipam/span.hpp"

#include <cstdlib>
#include <sstream>

namespace {

using namespace ingot;

void require(bool holds) {
  if (!holds) std::abort();
}

void checkAddress(const std::string& text) {
  const auto address = base::IpAddress::parse(text);
  if (address) require(base::IpAddress::parse(address->text()) == address);
}

void checkPrefix(const std::string& text) {
  const auto prefix = base::IpPrefix::parse(text);
  if (!prefix) return;
  require(prefix->first() <= prefix->address() && prefix->address() <= prefix->last());
  if (prefix->isV4() == prefix->address().isV4()) require(prefix->contains(prefix->address()));
}

void checkSpan(const api::ipam::Range& range, const api::ipam::Span& span) {
  require(span.first <= span.last);
  const auto subnet = range.subnet ? base::IpPrefix::parse(*range.subnet) : std::nullopt;
  if (subnet) require(subnet->contains(span.first) && subnet->contains(span.last));
  const auto start = range.start ? base::IpAddress::parse(*range.start) : std::nullopt;
  if (start) require(*start <= span.first);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  api::ipam::Range range;
  for (auto* text : {&range.start, &range.end, &range.subnet})
    if (std::string line; std::getline(lines, line) && !line.empty()) *text = line;
  for (const auto& text : {range.start, range.end, range.subnet}) {
    checkAddress(text.value_or(""));
    checkPrefix(text.value_or(""));
  }
  if (const auto span = sequentialSpan(range)) checkSpan(range, *span);
  const auto space = api::ipam::randomSpace(range);
  if (const auto* found = std::get_if<api::ipam::RandomSpace>(&space); found && found->usable)
    checkSpan(range, *found->usable);

  api::ipam::IPPool pool;
  pool.spec.pools = {range};
  pool.spec.allocationStrategy = "random";
  pool.spec.preAllocations["claim"] = range.start.value_or("");
  static_cast<void>(admitCreate(pool).message());
  return 0;
}
