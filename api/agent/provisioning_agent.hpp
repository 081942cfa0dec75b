// ProvisioningAgent, ingot.dev/v1alpha1: an ingot-agent that has shown up, and whether it may serve.
#pragma once

#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"
#include "kube/core/object_meta.hpp"

namespace ingot::api {

// Fingerprints compare without case, colons, dashes and spaces.
[[nodiscard]] bool sameFingerprint(std::string_view a, std::string_view b);

struct ProvisioningAgentSpec {
  std::string publicKey;  // Z85, 40 characters; the agent's identity
  bool approved = false;
  std::string fingerprint;            // of the key that was approved; "": approved before approvals named it
  std::vector<std::string> networks;  // CIDR
  std::map<std::string, std::string> hostLabels;
  bool allHosts = false;
  bool drain = false;

  static void describe(auto& v) {
    using S = ProvisioningAgentSpec;
    v.doc("Desired state of the agent, set by the operator.");
    v.field("publicKey", &S::publicKey)
        .required()
        .minLength(40)
        .maxLength(40)
        .rule("self == oldSelf", "publicKey cannot be changed")
        .doc("The agent's CURVE public key in Z85. It is the agent's identity and cannot be changed.");
    v.field("approved", &S::approved)
        .doc(
            "The operator has compared the fingerprint: the agent may serve hosts. Needs fingerprint, and one of "
            "networks, hostLabels and allHosts.");
    v.field("fingerprint", &S::fingerprint)
        .maxLength(128)
        .doc(
            "Fingerprint that the agent printed and that was approved. The agent is given nothing while its key has "
            "another.");
    v.field("networks", &S::networks)
        .maxItems(64)
        .doc("Networks (CIDR) whose BMCs the agent can reach. The longest match wins.");
    v.field("hostLabels", &S::hostLabels).doc("Serve hosts with these labels, where no network matches.");
    v.field("allHosts", &S::allHosts).doc("Serve hosts that neither a network nor labels match.");
    v.field("drain", &S::drain).doc("Take no new hosts and hand the present ones over.");
  }
  friend bool operator==(const ProvisioningAgentSpec&, const ProvisioningAgentSpec&) = default;
};

struct ProvisioningAgentStatus {
  std::string fingerprint;  // what both sides print
  bool connected = false;
  std::optional<base::WallTime> connectedSince, lastSeen;
  std::string version;
  std::string bootID;  // of the agent's process
  int hosts = 0;
  std::int64_t lagMilliseconds = 0;
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    using S = ProvisioningAgentStatus;
    v.doc("Observed state of the agent.");
    v.field("fingerprint", &S::fingerprint).doc("Fingerprint of the public key, as the agent prints it.");
    v.field("connected", &S::connected).doc("Whether the agent is connected to the coordinator.");
    v.field("connectedSince", &S::connectedSince).doc("Time at which the link came up.");
    v.field("lastSeen", &S::lastSeen).doc("Time at which the link was last seen up; set once it is down.");
    v.field("version", &S::version).doc("Version of the agent.");
    v.field("bootID", &S::bootID).doc("Identity of the agent's present process.");
    v.field("hosts", &S::hosts).format("int32").minimum(0).doc("Number of hosts that the agent serves.");
    v.field("lagMilliseconds", &S::lagMilliseconds)
        .format("int64")
        .minimum(0)
        .doc("Age of the agent's readings on arrival, when last measured.");
    v.field("conditions", &S::conditions).listMap({"type"}).maxItems(32).doc("Conditions, one of each type.");
  }
  friend bool operator==(const ProvisioningAgentStatus&, const ProvisioningAgentStatus&) = default;
};

struct ProvisioningAgent {
  kube::ObjectMeta metadata;
  ProvisioningAgentSpec spec;
  ProvisioningAgentStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("An agent beside the BMCs. It shows up unapproved and serves nothing until an operator approves it.");
    v.field("metadata", &ProvisioningAgent::metadata);
    v.field("spec", &ProvisioningAgent::spec)
        .rule(
            "!(has(self.approved) && self.approved) || has(self.fingerprint) && size(self.fingerprint) > 0 && "
            "(has(self.networks) && size(self.networks) > 0 || has(self.hostLabels) && size(self.hostLabels) > 0 || "
            "has(self.allHosts) && self.allHosts)",
            "an approval names the fingerprint that the agent printed, and what the agent may serve: networks, "
            "hostLabels or allHosts");
    v.field("status", &ProvisioningAgent::status);
  }
  friend bool operator==(const ProvisioningAgent&, const ProvisioningAgent&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ProvisioningAgent>();
