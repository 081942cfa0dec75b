#include "api/bmh/admission.hpp"

#include "api/bmh/rules/rules.hpp"

namespace ingot::api {

Verdict admitCreate(const BareMetalHost& host) {
  Verdict verdict;
  for (const auto rule : {rules::bmcAddress, rules::firmware, rules::secretReferences, rules::raid, rules::driver,
                          rules::name, rules::bmcHost, rules::rootDevice, rules::image, rules::annotations,
                          rules::inspection, rules::power, rules::networkInterfaces})
    rule(host, verdict.errors);
  return verdict;
}

Verdict admitUpdate(const BareMetalHost& before, const BareMetalHost& after) {
  Verdict verdict = admitCreate(after);
  for (const auto rule : {rules::addressChange, rules::bootMacChange, rules::externallyProvisionedChange})
    rule(before, after, verdict.errors);
  return verdict;
}

}  // namespace ingot::api
