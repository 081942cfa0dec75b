#include "api/ipam/admission.hpp"
#include "coordinator/admission/judge.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator {

using api::ipam::IPPool;

std::vector<std::string> OtherObjects::addressesBeyond(const kube::ObjectKey& pool, const AddressBounds& bounds) const {
  std::vector<std::string> out;
  for (const auto* kind : addressKinds()) {
    AddressesInUse all(*kind);
    eachMentioning(*kind, pool.name, pool.namespace_, [&](const json::Value& document) { all.put(document); });
    std::ranges::move(all.beyond(pool, bounds), std::back_inserter(out));
  }
  return out;
}

// Those that the pool shows were judged with the pool itself.
Ruling judgePool(const Question& question, const OtherObjects& others) {
  if (question.before == nullptr) return {};
  auto before = readable<IPPool>(*question.before);
  const auto after = readable<IPPool>(question.object);
  if (!before || !after) return {};
  const AddressBounds bounds(after->spec.pools);
  if (bounds.cover(AddressBounds(before->spec.pools))) return {};
  before->status.indexes.clear();
  for (auto& address : others.addressesBeyond(before->metadata.key(), bounds))
    before->status.indexes.try_emplace(address, address);
  return rulingOf(admitUpdate(*before, *after), {IPPool::info, after->metadata.name});
}

}  // namespace ingot::coordinator
