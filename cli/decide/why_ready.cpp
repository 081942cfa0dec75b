#include "cli/decide/why_ready.hpp"

#include "api/capm3/machine_words.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/power.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::cli {
namespace {

// "provisioned, finished 2h ago".
std::string stateFact(const api::BareMetalHost& host, base::WallTime now) {
  const auto& finished = host.status.operationHistory.provision.end;
  return host.status.provisioning.state + (finished ? fmt::format(", finished {} ago", ageText(finished, now)) : "");
}

// The condition turns True when the power can be read again; from then on each reading agreed with the status.
std::string powerFact(const api::BareMetalHost& host, base::WallTime now) {
  const auto* known = kube::findCondition(host.status.conditions, "PowerStateKnown");
  const bool isKnown = known != nullptr && known->status == "True" && known->lastTransitionTime != base::WallTime{};
  return "power " + powerSentence(host, now) +
         (isKnown ? fmt::format("; it could be read for the last {}", ageText(known->lastTransitionTime, now)) : "");
}

}  // namespace

std::vector<std::string> whyReady(const MachinePicture& picture, base::WallTime now) {
  std::vector<std::string> facts;
  const auto* chosen = kube::findCondition(picture.machine.status.conditions, api::capm3::condition::host);
  if (chosen != nullptr && chosen->status == "True")
    facts.push_back(fmt::format("its host was decided {} ago: {}", ageText(chosen->lastTransitionTime, now),
                                chosen->message.empty() ? chosen->reason : chosen->message));
  if (!picture.host || !isItsHost(picture)) return facts;
  const std::string& name = picture.host->metadata.name;
  facts.push_back(fmt::format("host {}: {}", name, stateFact(*picture.host, now)));
  facts.push_back(fmt::format("host {}: {}", name, powerFact(*picture.host, now)));
  return facts;
}

}  // namespace ingot::cli
