// What Cluster API refuses here it says in sentences.
#include "api/capi_ipam/admission.hpp"
#include "base/ip_address.hpp"
#include "json/codec.hpp"

namespace ingot::api::capi_ipam {

namespace {

Verdict inSentences(const FieldErrors& fields) {
  Verdict out;
  for (const auto& cause : fields.all()) out.errors.push_back(cause.field + ": " + cause.message);
  return out;
}

template <class Spec>
Verdict immutable(std::string_view kind, const Spec& before, const Spec& after) {
  FieldErrors errors;
  if (before != after) errors.forbidden("spec", fmt::format("{} spec is immutable", kind));
  return inSentences(errors);
}

bool isV6(std::string_view address) { return address.find(':') != std::string_view::npos; }

// An IPv6 address may name a zone: fe80::1%eth0.
bool isAddressText(std::string_view text) {
  const auto zone = isV6(text) ? text.find('%') : std::string_view::npos;
  return zone + 1 != text.size() && base::IpAddress::parse(text.substr(0, zone));
}

void checkPrefix(const IPAddressSpec& spec, FieldErrors& errors) {
  const int prefix = spec.prefix.value_or(0);
  const auto refuse = [&](std::string_view problem) { errors.invalidObject("spec.prefix", prefix, problem); };
  if (prefix < 0) refuse("prefix cannot be negative");
  if (!isAddressText(spec.address)) return;
  if (!isV6(spec.address) && prefix > 32) refuse("prefix is too large for an IPv4 address");
  if (isV6(spec.address) && prefix > 128) refuse("prefix is too large for an IPv6 address");
}

}  // namespace

Verdict admitCreate(const IPAddressClaim&) { return {}; }

Verdict admitUpdate(const IPAddressClaim& before, const IPAddressClaim& after) {
  return immutable("IPAddressClaim", before.spec, after.spec);
}

Verdict admitCreate(const IPAddress& address) {
  const auto& spec = address.spec;
  FieldErrors errors;
  if (!isAddressText(spec.address)) errors.invalid("spec.address", spec.address, "not a valid IP address");
  checkPrefix(spec, errors);
  if (!spec.gateway.empty() && !isAddressText(spec.gateway))
    errors.invalid("spec.gateway", spec.gateway, "not a valid IP address");
  return inSentences(errors);
}

Verdict admitUpdate(const IPAddress& before, const IPAddress& after) {
  return immutable("IPAddress", before.spec, after.spec);
}

Verdict admitFor(const IPAddressClaim& claim, const IPAddress& address) {
  FieldErrors errors;
  if (address.spec.poolRef != claim.spec.poolRef)
    errors.invalidObject("spec.poolRef", json::encode(address.spec.poolRef),
                         "the referenced pool is different from the pool referenced by the claim this address should "
                         "fulfill");
  return inSentences(errors);
}

}  // namespace ingot::api::capi_ipam
