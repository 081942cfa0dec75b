#include "coordinator/managers/held_leases.hpp"

#include "kube/core/error.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::coordinator::managers {
namespace {

constexpr std::string_view ours = "ingot_";

const std::string& holderOf(const kube::Lease& lease) {
  static const std::string nobody;
  return lease.spec.holderIdentity ? *lease.spec.holderIdentity : nobody;
}

// False: somebody else was faster.
bool isRace(const kube::Error& error) {
  return error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::alreadyExists ||
         error.code() == kube::Error::Code::notFound;
}

}  // namespace

HeldLeases::HeldLeases(const base::Runtime& runtime, kube::Client& client, HeldLeasesOptions options)
    : runtime_(runtime),
      client_(client),
      options_(std::move(options)),
      election_{.identity = fmt::format("{}{}", ours, options_.installation)} {}

base::Task<std::string> HeldLeases::hold() {
  std::vector<std::string> others;
  for (const auto& manager : options_.managers) {
    const std::string name(manager.lease);
    const auto found = co_await client_.list<kube::Lease>({.fieldSelector = "metadata.name=" + name});
    for (const auto& lease : found)
      if (auto holder = co_await hold(lease); !holder.empty()) others.push_back(std::move(holder));
    const auto isOwn = [this](const kube::Lease& lease) { return lease.metadata.namespace_ == options_.namespace_; };
    if (std::ranges::none_of(found, isOwn)) co_await create(name);
  }
  co_return fmt::format("{}", fmt::join(others, "; "));
}

// Returns who else has it.
base::Task<std::string> HeldLeases::hold(kube::Lease lease) {
  observe(lease);
  const auto& seen = seen_.at(lease.metadata.key());
  if (holderOf(lease) != election_.identity && holderOf(lease).starts_with(ours)) co_return "";
  if (!kube::mayTake(seen, election_.identity, runtime_.clock.now()))
    co_return fmt::format("Lease {} is held by {}", lease.metadata.key().text(), holderOf(lease));
  kube::Lease wanted = lease;
  if (holderOf(lease) == election_.identity)
    wanted.spec.renewTime = json::MicroTime{runtime_.clock.wall()};
  else
    wanted.spec = kube::takenLease(lease, election_, runtime_.clock.wall());
  try {
    observe(co_await client_.update(std::move(wanted)));
  } catch (const kube::Error& error) {
    if (!isRace(error)) throw;
    co_return fmt::format("Lease {} was taken by another", lease.metadata.key().text());
  }
  co_return "";
}

base::Task<void> HeldLeases::create(std::string name) {
  kube::Lease lease{.metadata = {.name = std::move(name), .namespace_ = options_.namespace_}};
  lease.spec = kube::takenLease(std::nullopt, election_, runtime_.clock.wall());
  try {
    observe(co_await client_.create(std::move(lease)));
  } catch (const kube::Error& error) {
    if (!isRace(error)) throw;  // the next look sees whose it is
  }
}

void HeldLeases::observe(const kube::Lease& lease) {
  auto& seen = seen_[lease.metadata.key()];
  const bool isSame = seen.lease && seen.lease->spec == lease.spec && seen.lease->metadata.uid == lease.metadata.uid;
  if (!isSame) seen.unchangedSince = runtime_.clock.now();
  seen.lease = lease;
}

}  // namespace ingot::coordinator::managers
