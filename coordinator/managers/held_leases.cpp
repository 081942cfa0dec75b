#include "coordinator/managers/held_leases.hpp"

#include "kube/core/error.hpp"

#include <fmt/ranges.h>

#include <limits>

namespace ingot::coordinator::managers {
namespace {

constexpr std::string_view ours = "ingot.dev/";  // no pod, and no host, has such a name
constexpr std::int64_t longestForeign = 60;      // seconds that one write of somebody else's may keep us waiting

std::string holderOf(const kube::Lease& lease) { return lease.spec.holderIdentity.value_or(""); }

}  // namespace

HeldLeases::HeldLeases(const base::Runtime& runtime, kube::Client& client, HeldLeasesOptions options)
    : runtime_(runtime),
      client_(client),
      options_(std::move(options)),
      election_{.identity = fmt::format("{}{}", ours, options_.installation)} {}

// Looks at all of them before it takes any: what it took while it waits for another would be missing to a manager that
// may work.
base::Task<HeldLeases::Answer> HeldLeases::hold(std::set<std::string> more) {
  auto found = co_await find(std::move(more));
  std::vector<std::string> holders;
  for (const auto& each : found)
    if (auto holder = holderAgainstUs(each.lease); !holder.empty()) holders.push_back(std::move(holder));
  Answer answer{.holders = fmt::format("{}", fmt::join(holders, "; "))};
  if (!answer.holders.empty()) co_return answer;
  for (auto& each : found)
    if (!isLeftTo(each.lease) && !co_await write(std::move(each))) answer.isOvertaken = true;
  co_return answer;
}

base::Task<std::vector<HeldLeases::Found>> HeldLeases::find(std::set<std::string> more) {
  std::vector<Found> out;
  more.insert(options_.namespace_);
  for (const auto& manager : options_.managers) {
    const std::string name(manager.lease);
    std::set<std::string> namespaces = more;
    namespaces.insert(manager.namespaces.begin(), manager.namespaces.end());
    bool isHere = options_.ownLease == name;
    const auto listed =
        co_await client_.api().list(kube::Resource::of(kube::Lease::info), {.fieldSelector = "metadata.name=" + name});
    for (const auto& document : listed.items) try {
        const auto lease = kube::decodeObject<kube::Lease>(document);
        const auto key = lease.metadata.key();
        if (!namespaces.contains(key.namespace_) || key == kube::ObjectKey{options_.namespace_, options_.ownLease})
          continue;
        isHere = isHere || key.namespace_ == options_.namespace_;
        observe(lease);
        out.push_back({lease});
      } catch (const base::Error& error) {  // it says nothing that a manager could go by either
        runtime_.log.debug("a Lease cannot be read", {{"lease", name}, {"error", error.what()}});
      }
    if (!isHere) out.push_back({{.metadata = {.name = name, .namespace_ = options_.namespace_}}, false});
  }
  co_return out;
}

std::string HeldLeases::holderAgainstUs(const kube::Lease& lease) {
  const auto seen = seen_.find(lease.metadata.key());
  if (seen == seen_.end() || isLeftTo(lease)) return "";
  if (kube::mayTake(seen->second, election_.identity, runtime_.clock.now())) return "";
  return fmt::format("Lease {} is held by {}", lease.metadata.key().text(), holderOf(lease));
}

// To another installation of Ingot, while it renews it.
bool HeldLeases::isLeftTo(const kube::Lease& lease) const {
  const auto seen = seen_.find(lease.metadata.key());
  return seen != seen_.end() && holderOf(lease).starts_with(ours) &&
         !kube::mayTake(seen->second, election_.identity, runtime_.clock.now());
}

kube::LeaseSpec HeldLeases::takenFrom(const std::optional<kube::Lease>& previous) const {
  auto spec = kube::takenLease(previous, election_, runtime_.clock.wall());
  if (spec.leaseTransitions > std::numeric_limits<std::int32_t>::max())  // all that a Lease counts to
    spec.leaseTransitions = std::numeric_limits<std::int32_t>::max();
  return spec;
}

// False: it was not written. One that is gone need not be.
base::Task<bool> HeldLeases::write(Found found) {
  auto lease = std::move(found.lease);
  const bool isRenewal = found.isThere && holderOf(lease) == election_.identity;
  if (isRenewal)
    lease.spec.renewTime = json::MicroTime{runtime_.clock.wall()};
  else
    lease.spec = takenFrom(found.isThere ? std::optional(lease) : std::nullopt);
  try {
    observe(found.isThere ? co_await client_.update(std::move(lease)) : co_await client_.create(std::move(lease)));
  } catch (const kube::Error& error) {
    if (error.code() == kube::Error::Code::notFound) co_return true;
    const bool isOfThisOne =
        error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::alreadyExists ||
        error.code() == kube::Error::Code::invalid || error.code() == kube::Error::Code::badRequest;
    if (!isOfThisOne) throw;
    co_return false;
  }
  co_return true;
}

void HeldLeases::observe(kube::Lease lease) {
  if (lease.spec.leaseDurationSeconds > longestForeign) lease.spec.leaseDurationSeconds = longestForeign;
  auto& seen = seen_[lease.metadata.key()];
  seen.take(std::move(lease), runtime_.clock.now());
}

}  // namespace ingot::coordinator::managers
