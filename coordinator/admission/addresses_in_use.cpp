#include "coordinator/admission/addresses_in_use.hpp"

#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/names.hpp"
#include "kube/core/undecoded.hpp"

namespace ingot::coordinator {

const std::array<const kube::KindInfo*, 2>& addressKinds() {
  static const std::array<const kube::KindInfo*, 2> kinds{&api::ipam::IPAddress::info,
                                                          &api::capi_ipam::IPAddress::info};
  return kinds;
}

// The fields alone: to decode all of it is most of the work.
std::optional<AddressInUse> addressIn(const kube::KindInfo& kind, const json::Value& document) {
  const bool isCapi = &kind == &api::capi_ipam::IPAddress::info;
  const char* const reference = isCapi ? "poolRef" : "pool";
  if (isCapi && (json::textAt(document, {"spec", reference, "apiGroup"}) != api::ipam::kGroup ||
                 json::textAt(document, {"spec", reference, "kind"}) != api::ipam::IPPool::info.kind))
    return std::nullopt;
  AddressInUse out{
      .pool = {json::textAt(document, {"metadata", "namespace"}), json::textAt(document, {"spec", reference, "name"})},
      .address = json::textAt(document, {"spec", "address"})};
  return out.address.empty() ? std::nullopt : std::optional(std::move(out));
}

void AddressesInUse::put(const json::Value& document) {
  const kube::ObjectKey object = kube::keyOf(document);
  drop(object);
  auto is = addressIn(*kind_, document);
  if (!is) return;
  const auto written = AddressBounds::read(is->address);
  const auto at = entries_.emplace(object, Entry{std::move(*is), written}).first;
  ofPool_[at->second.is.pool].insert(&at->second);
}

void AddressesInUse::drop(const kube::ObjectKey& object) {
  const auto at = entries_.find(object);
  if (at == entries_.end()) return;
  const auto pool = ofPool_.find(at->second.is.pool);
  pool->second.erase(&at->second);
  if (pool->second.empty()) ofPool_.erase(pool);
  entries_.erase(at);
}

std::vector<std::string> AddressesInUse::beyond(const kube::ObjectKey& pool, const AddressBounds& bounds) const {
  std::vector<std::string> out;
  const auto found = ofPool_.find(pool);
  if (found == ofPool_.end()) return out;
  const auto& all = found->second;
  auto at = all.begin();
  const auto addUntil = [&](auto end) {
    for (; at != end && out.size() < kMostBeyond; ++at) out.push_back((*at)->is.address);
  };
  for (const auto& stretch : bounds.stretches()) {
    addUntil(all.lower_bound(stretch.first));
    if (out.size() == kMostBeyond) return out;
    at = all.upper_bound(stretch.last);
  }
  addUntil(all.end());
  return out;
}

}  // namespace ingot::coordinator
