// Admission of IPClaims and IPAddresses (spec/ipam.md §7.4, §7.5).
#include "api/ipam/admission.hpp"
#include "api/ipam/rules/texts.hpp"

namespace ingot::api::ipam {

Verdict admitCreate(const IPClaim& claim) {
  Verdict out;
  FieldErrors& errors = out.fields;
  rules::requireText(errors, "spec.pool.name", claim.spec.pool.name);
  rules::requireRequestedAddress(errors, claim.metadata);
  return out;
}

Verdict admitUpdate(const IPClaim& before, const IPClaim& after) {
  Verdict out;
  FieldErrors& errors = out.fields;
  rules::requireSame(errors, "spec.pool", before.spec.pool, after.spec.pool);
  rules::requireRequestedAddress(errors, after.metadata);
  return out;
}

Verdict admitCreate(const IPAddress& address) {
  Verdict out;
  FieldErrors& errors = out.fields;
  rules::requireText(errors, "spec.pool.name", address.spec.pool.name);
  rules::requireText(errors, "spec.claim.name", address.spec.claim.name);
  rules::requireText(errors, "spec.address", address.spec.address);
  rules::requireAddress(errors, "spec.address", address.spec.address);
  rules::requireRequestedAddress(errors, address.metadata);
  return out;
}

Verdict admitUpdate(const IPAddress& before, const IPAddress& after) {
  Verdict out;
  FieldErrors& errors = out.fields;
  if (before.spec.address != after.spec.address)
    errors.invalid("spec.address", after.spec.address, "cannot be modified");
  rules::requireSame(errors, "spec.pool", before.spec.pool, after.spec.pool);
  rules::requireSame(errors, "spec.claim", before.spec.claim, after.spec.claim);
  return out;
}

}  // namespace ingot::api::ipam
