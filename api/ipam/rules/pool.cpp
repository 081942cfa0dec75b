// Admission of IPPools (spec/ipam.md §7.1, §7.2).
#include "api/ipam/admission.hpp"
#include "api/ipam/rules/bounds.hpp"
#include "api/ipam/rules/texts.hpp"
#include "api/ipam/span.hpp"
#include "base/ip_address.hpp"
#include "base/url_text.hpp"

#include <fmt/format.h>

namespace ingot::api::ipam {

namespace {

constexpr std::string_view kSequential = "sequential", kRandom = "random";

std::string_view strategyOf(const IPPoolSpec& spec) {
  return spec.allocationStrategy.empty() ? kSequential : std::string_view(spec.allocationStrategy);
}

// Each address must be readable, and none may be kept for two claims.
void checkPreAllocations(FieldErrors& errors, const std::map<std::string, std::string>& preAllocations) {
  std::map<base::IpAddress, std::string> claims;
  for (const auto& [claim, text] : preAllocations) {
    const std::string field = "spec.preAllocations." + claim;
    rules::requireAddress(errors, field, text);
    const auto address = base::IpAddress::parse(text);
    if (!address) continue;
    const auto [first, isNew] = claims.emplace(*address, claim);
    if (!isNew)
      errors.invalid(field, text,
                     "IP address is already pre-allocated to claim " + base::url_text::quoted(first->second));
  }
}

void checkRange(FieldErrors& errors, const Range& range, const std::string& field, bool random) {
  if (!range.start && !range.end && !range.subnet)
    return errors.invalid(field, "", "pool entry must specify at least one of start, end, or subnet");
  const std::size_t before = errors.size();
  if (const std::string problem = problemOf(range); !problem.empty()) errors.invalid(field, "", problem);
  rules::requireAddress(errors, field + ".gateway", range.gateway);
  rules::requireAddresses(errors, field + ".dnsServers", range.dnsServers);
  if (!random || errors.size() != before) return;
  const auto space = randomSpace(range);
  if (const auto* why = std::get_if<std::string>(&space))
    errors.invalid(field, "", fmt::format("cannot be used with allocationStrategy \"random\": {}", *why));
}

void checkSpec(FieldErrors& errors, const IPPoolSpec& spec) {
  rules::requireAddress(errors, "spec.gateway", spec.gateway);
  rules::requireAddresses(errors, "spec.dnsServers", spec.dnsServers);
  checkPreAllocations(errors, spec.preAllocations);
  for (std::size_t i = 0; i < spec.pools.size(); ++i)
    checkRange(errors, spec.pools[i], fmt::format("spec.pools[{}]", i), isRandom(spec));
}

void checkBounds(FieldErrors& errors, const IPPoolSpec& spec, const std::map<std::string, std::string>& addresses,
                 const std::string& field, std::string_view problem) {
  if (addresses.empty()) return;
  const rules::Bounds bounds(spec.pools);
  for (const auto& [claim, address] : addresses)
    if (!bounds.hold(address)) errors.invalid(field, address, problem);
}

}  // namespace

bool isRandom(const IPPoolSpec& spec) { return spec.allocationStrategy == kRandom; }

void setDefaults(IPPool& pool) { pool.spec.allocationStrategy = strategyOf(pool.spec); }

Verdict admitCreate(const IPPool& pool) {
  Verdict out;
  FieldErrors& errors = out.fields;
  checkSpec(errors, pool.spec);
  checkBounds(errors, pool.spec, pool.spec.preAllocations, "spec.preAllocations", "is out of bonds of the pools given");
  return out;
}

Verdict admitUpdate(const IPPool& before, const IPPool& after) {
  Verdict out;
  FieldErrors& errors = out.fields;
  if (before.spec.namePrefix != after.spec.namePrefix)
    errors.invalid("spec.namePrefix", after.spec.namePrefix, "cannot be modified");
  if (strategyOf(before.spec) != strategyOf(after.spec))
    errors.invalid("spec.allocationStrategy", after.spec.allocationStrategy, "cannot be modified after creation");
  checkSpec(errors, after.spec);
  checkBounds(errors, after.spec, after.spec.preAllocations, "spec.preAllocations",
              "is out of bounds of the pools given");
  // One made by hand may lie outside of the ranges: no reason to refuse what leaves them as they are.
  if (before.spec.pools != after.spec.pools)
    checkBounds(errors, after.spec, before.status.indexes, "spec.pools",
                "is in use but out of bounds of the pools given");
  return out;
}

}  // namespace ingot::api::ipam
