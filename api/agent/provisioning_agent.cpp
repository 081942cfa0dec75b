#include "api/agent/provisioning_agent.hpp"

#include "api/kind_words.hpp"
#include "base/text.hpp"

namespace ingot::api {

namespace {

constexpr std::string_view kAgentNames[] = {"pagent"};
constexpr kube::Column kAgentColumns[] = {
    {.name = "Approved", .type = "boolean", .jsonPath = ".spec.approved", .description = "May serve hosts"},
    {.name = "Connected", .type = "boolean", .jsonPath = ".status.connected", .description = "The link is up"},
    {.name = "Hosts", .type = "integer", .jsonPath = ".status.hosts", .description = "Hosts it serves"},
    {.name = "Version", .type = "string", .jsonPath = ".status.version", .description = "Version of the agent"},
    {.name = "Fingerprint",
     .type = "string",
     .jsonPath = ".status.fingerprint",
     .priority = 1,
     .description = "Fingerprint of its key"},
    column::age,
};

std::string essence(std::string_view fingerprint) {
  std::string out;
  for (const char c : fingerprint)
    if (c != ':' && c != '-' && c != ' ') out += base::lower(c);
  return out;
}

}  // namespace

bool sameFingerprint(std::string_view a, std::string_view b) { return essence(a) == essence(b); }

const kube::KindInfo ProvisioningAgent::info{
    .group = "ingot.dev",
    .version = "v1alpha1",
    .kind = "ProvisioningAgent",
    .plural = "provisioningagents",
    .namespaced = false,
    .statusSubresource = true,
    .shortNames = kAgentNames,
    .columns = kAgentColumns,
    .doc = "An agent beside the BMCs.",
};

}  // namespace ingot::api

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ProvisioningAgent>();
