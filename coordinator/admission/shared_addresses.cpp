#include "api/capi_ipam/admission.hpp"
#include "coordinator/admission/judge.hpp"

namespace ingot::coordinator {

using api::capi_ipam::IPAddress;
using api::capi_ipam::IPAddressClaim;

// An address whose claim is not there is tolerated, as by Cluster API.
Ruling judgeSharedAddress(const Question& question, const OtherObjects& others) {
  if (question.operation != apiserver::Operation::create) return {};
  const auto address = readable<IPAddress>(question.object);
  if (!address) return {};
  const auto document = others.named(IPAddressClaim::info, {address->metadata.namespace_, address->spec.claimRef.name});
  const auto claim = document ? readable<IPAddressClaim>(*document) : std::nullopt;
  if (!claim) return {};
  return rulingOf(admitFor(*claim, *address), {IPAddress::info, address->metadata.name});
}

}  // namespace ingot::coordinator
