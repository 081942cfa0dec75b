#include "cli/run/refused_claims.hpp"

#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_claim.hpp"
#include "cli/run/reader.hpp"
#include "kube/runtime/draft.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::cli {
namespace {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;
using Code = kube::Error::Code;

// False: it was not refused.
bool clear(IPClaim& claim) {
  if (claim.status.address || !claim.status.errorMessage) return false;
  claim.status.errorMessage.reset();
  return true;
}

bool clear(IPAddressClaim& claim) {
  if (!claim.status.addressRef.name.empty()) return false;
  return std::erase_if(claim.status.conditions, [](const kube::Condition& condition) {
           const bool isRefused = condition.reason == "AllocationFailed" || condition.reason == "PoolExhausted";
           return condition.type == "Ready" && condition.status == "False" && isRefused;
         }) > 0;
}

template <class Claim>
base::Task<void> clearOne(Session& session, Claim claim) {
  kube::Draft<Claim> draft(std::move(claim));
  if (!clear(*draft)) co_return;
  const std::string what = fmt::format("{} {}", Claim::info.kind, draft.key().name);
  try {
    static_cast<void>(co_await kube::save(session.client, draft));
    session.terminal.say(what + ": its refusal is forgotten");
  } catch (const kube::Error& error) {
    if (error.code() != Code::forbidden && error.code() != Code::conflict && error.code() != Code::notFound) throw;
    session.terminal.note(fmt::format("{}: its refusal stays: {}", what, error.what()));
  }
}

template <class Claim>
base::Task<void> clearAll(Session& session, kube::ObjectMeta data) {
  Reader reader(session);
  for (Claim& claim : co_await reader.list<Claim>({.namespace_ = data.namespace_}))
    if (claim.metadata.ownedBy(data.uid) && !claim.metadata.beingDeleted())
      co_await clearOne(session, std::move(claim));
}

}  // namespace

base::Task<void> clearRefusals(Session& session, MachinePicture picture) {
  if (!picture.data) co_return;
  co_await clearAll<IPClaim>(session, picture.data->metadata);
  co_await clearAll<IPAddressClaim>(session, picture.data->metadata);
}

}  // namespace ingot::cli
