#include "tests/coordinator/seeds/cast.hpp"

#include "api/capi_ipam/ip_address.hpp"

namespace ingot::tests::seeds {

using api::capi_ipam::IPAddress;
using api::capi_ipam::IPAddressClaim;

void ForeignProvider::act() {
  for (const auto& name : namesOf(world_.ledger.all("ipaddressclaims"))) {
    const auto* claim = world_.ledger.find("ipaddressclaims", name);
    if (textAt(claim, {"spec", "poolRef", "kind"}) != "ExamplePool") continue;
    const std::string address = "theirs-" + name;
    const bool isGiven = world_.ledger.find("capi ipaddresses", address) != nullptr;
    if (isLeaving(*claim)) {
      if (isGiven) world_.remove<IPAddress>(address);
    } else if (!isGiven) {
      answer(name, textAt(claim, {"metadata", "uid"}));
    } else if (textAt(claim, {"status", "addressRef", "name"}) != address) {
      world_.report<IPAddressClaim>(name, fmt::format(R"({{"addressRef":{{"name":"{}"}}}})", address));
    }
  }
}

// One that was taken back is not given soon again.
void ForeignProvider::answer(const std::string& claim, const std::string& uid) {
  given_ = given_ % 200 + 1;
  world_.make<IPAddress>(fmt::format(
      R"({{"metadata":{{"name":"theirs-{0}","namespace":"metal","ownerReferences":[{{"apiVersion":)"
      R"("ipam.cluster.x-k8s.io/v1beta2","kind":"IPAddressClaim","name":"{0}","uid":"{1}","controller":true}}]}},)"
      R"("spec":{{"claimRef":{{"name":"{0}"}},"poolRef":{{"name":"theirs","kind":"ExamplePool",)"
      R"("apiGroup":"ipam.example.com"}},"address":"192.0.2.{2}","prefix":24,"gateway":"192.0.2.254"}}}})",
      claim, uid, given_));
}

}  // namespace ingot::tests::seeds
