// What is put on record of drives that were erased, with the fields that NIST SP 800-88 Rev. 1 asks a certificate for
// (its appendix G). Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "kube/core/config_map.hpp"
#include "wire/erase_messages.hpp"

#include <string>

namespace ingot::coordinator::agents {

struct CertifiedErasure {
  std::string agent, software;  // name of the ProvisioningAgent, and its version
  wire::EraseReport report;
};

// The ConfigMap that holds it, as certificate.json. It cannot be changed, and it outlives the host. The same erasure
// makes the same one.
[[nodiscard]] kube::ConfigMap certificateOf(const api::BareMetalHost& host, const CertifiedErasure& erasure);

// "2 drives erased: S1 (CryptographicErase), S2 (Overwrite, unverified); kept: S3".
[[nodiscard]] std::string summaryOf(const wire::EraseReport& report);

}  // namespace ingot::coordinator::agents
