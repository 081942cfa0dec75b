// Admission of IPClaims and IPAddresses (spec/ipam.md §7.4, §7.5).
#include "api/ipam/admission.hpp"
#include "api/ipam/rules/texts.hpp"

namespace ingot::api::ipam {

FieldErrors admitCreate(const IPClaim& claim) {
  FieldErrors errors;
  rules::requireText(errors, "spec.pool.name", claim.spec.pool.name);
  rules::requireRequestedAddress(errors, claim.metadata);
  return errors;
}

FieldErrors admitUpdate(const IPClaim& before, const IPClaim& after) {
  FieldErrors errors;
  rules::requireSame(errors, "spec.pool", before.spec.pool, after.spec.pool);
  rules::requireRequestedAddress(errors, after.metadata);
  return errors;
}

FieldErrors admitCreate(const IPAddress& address) {
  FieldErrors errors;
  rules::requireText(errors, "spec.pool.name", address.spec.pool.name);
  rules::requireText(errors, "spec.claim.name", address.spec.claim.name);
  rules::requireText(errors, "spec.address", address.spec.address);
  rules::requireAddress(errors, "spec.address", address.spec.address);
  rules::requireRequestedAddress(errors, address.metadata);
  return errors;
}

FieldErrors admitUpdate(const IPAddress& before, const IPAddress& after) {
  FieldErrors errors;
  if (before.spec.address != after.spec.address)
    errors.invalid("spec.address", after.spec.address, "cannot be modified");
  rules::requireSame(errors, "spec.pool", before.spec.pool, after.spec.pool);
  rules::requireSame(errors, "spec.claim", before.spec.claim, after.spec.claim);
  return errors;
}

}  // namespace ingot::api::ipam
