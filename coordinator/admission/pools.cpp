#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/admission.hpp"
#include "coordinator/admission/judge.hpp"
#include "coordinator/ipam/claim_action.hpp"

namespace ingot::coordinator {
namespace {

using api::ipam::IPPool;

template <class Address>
void addAddressesOf(IPPool& pool, const OtherObjects& others) {
  const auto add = [&pool](const json::Value& document) {
    const auto address = readable<Address>(document);
    if (address && ipam::poolOf(*address) == pool.metadata.key())
      pool.status.indexes[address->spec.address] = address->spec.address;
  };
  others.eachMentioning(Address::info, pool.metadata.name, pool.metadata.namespace_, add);
}

}  // namespace

Ruling judgePool(const Question& question, const OtherObjects& others) {
  if (question.before == nullptr) return {};
  auto before = readable<IPPool>(*question.before);
  const auto after = readable<IPPool>(question.object);
  if (!before || !after || before->spec.pools == after->spec.pools) return {};
  before->status.indexes.clear();
  addAddressesOf<api::ipam::IPAddress>(*before, others);
  addAddressesOf<api::capi_ipam::IPAddress>(*before, others);
  return rulingOf(admitUpdate(*before, *after), {IPPool::info, after->metadata.name});
}

}  // namespace ingot::coordinator
