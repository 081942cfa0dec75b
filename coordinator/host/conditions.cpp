#include "coordinator/host/conditions.hpp"

#include "base/cut_text.hpp"
#include "coordinator/host/state.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::coordinator::host {
namespace {

struct Word {
  bool yes;
  std::string_view reason;
};

constexpr std::size_t longestText = 32768;  // of a condition's message: metav1.Condition, and our CRDs
constexpr std::string_view powerFailure = "PowerFailure";
constexpr std::string_view powerStateKnown = "PowerStateKnown";
constexpr std::string_view noFreshReading = "NoFreshReading";
constexpr Word manageableYes{true, "Manageable"};
constexpr Word availableNo{false, "NotAvailable"};
constexpr Word provisionedYes{true, "Provisioned"};
constexpr Word provisionedNo{false, "NotProvisioned"};
constexpr Word idle{false, "NotProgressing"};

// A row of the table in spec/baremetalhost.md §2.1.2. Ready is what Provisioned is, unless the operational status
// says otherwise.
struct Words {
  Word manageable, available, provisioned, progressing;
  bool powerFailureMatters;
  Word ready{};
};

Words wordsOf(State state, bool failed) {
  switch (state) {
    case State::none:
    case State::unmanaged: return {{false, "NotManaged"}, availableNo, provisionedNo, idle, false};
    case State::registering:
      return {{false, failed ? "RegistrationFailed" : "Registering"},
              availableNo,
              provisionedNo,
              {true, "Registering"},
              false};
    case State::inspecting:
    case State::matchProfile: return {manageableYes, availableNo, provisionedNo, {true, "Inspecting"}, true};
    case State::preparing: return {manageableYes, availableNo, provisionedNo, {true, "Preparing"}, true};
    case State::available:
    case State::ready: return {manageableYes, {true, "Available"}, provisionedNo, idle, true};
    case State::provisioning: return {manageableYes, availableNo, provisionedNo, {true, "Provisioning"}, true};
    case State::provisioned:
    case State::externallyProvisioned: return {manageableYes, availableNo, provisionedYes, idle, true};
    case State::deprovisioning: return {manageableYes, availableNo, provisionedNo, {true, "Deprovisioning"}, true};
    case State::poweringOffBeforeDelete:
      return {manageableYes, availableNo, provisionedNo, {true, "PoweringOffBeforeDelete"}, true};
    case State::deleting: return {manageableYes, availableNo, provisionedNo, {true, "Deleting"}, false};
  }
  return {};
}

State knownState(const api::BareMetalHost& host) {
  return parseProvisioningState(host.status.provisioning.state).value_or(State::none);
}

bool failed(const api::BareMetalHost& host) { return host.status.operationalStatus == api::operational_status::error; }

bool detached(const api::BareMetalHost& host) {
  return host.status.operationalStatus == api::operational_status::detached;
}

Words wordsOf(const api::BareMetalHost& host) {
  Words words = wordsOf(knownState(host), failed(host));
  words.ready = failed(host) ? Word{false, "Error"} : words.provisioned;
  if (detached(host)) {
    words.ready = words.progressing = {false, "Detached"};
    words.powerFailureMatters = false;
  }
  return words;
}

struct Setter {
  api::BareMetalHost& host;
  base::WallTime now;

  void operator()(std::string_view type, std::string_view status, std::string_view reason,
                  const std::string& message = {}) const {
    kube::setCondition(host.status.conditions,
                       {.type = std::string(type),
                        .status = std::string(status),
                        .observedGeneration = host.metadata.generation,
                        .reason = std::string(reason),
                        .message = message},
                       now);
  }
  void operator()(std::string_view type, Word word) const { (*this)(type, word.yes ? "True" : "False", word.reason); }
};

void setHealth(const Setter& set, const std::vector<kube::Condition>& present, const std::string& health) {
  if (health == "OK") return set("Healthy", "True", "Healthy");
  if (health == "Warning") return set("Healthy", "False", "Warning");
  if (health == "Critical") return set("Healthy", "False", "CriticalError");
  const bool known = std::ranges::any_of(present, [](const auto& c) { return c.type == "Healthy"; });
  if (health.empty() && known) return;
  set("Healthy", "Unknown", "Unknown");
}

// In a state that does not rest Ironic switches the machine as its work goes, and nobody reads the power.
void setPowerUnread(const Setter& set) {
  const auto* known = kube::findCondition(set.host.status.conditions, powerStateKnown);
  if (rests(knownState(set.host)) || known == nullptr || known->status != "True") return;
  set(powerStateKnown, "Unknown", noFreshReading,
      fmt::format("power is not read in the state \"{}\"", set.host.status.provisioning.state));
}

void sortReadyFirst(std::vector<kube::Condition>& conditions) {
  std::ranges::sort(conditions, {}, [](const kube::Condition& c) { return std::pair(c.type != "Ready", c.type); });
}

}  // namespace

void setConditions(api::BareMetalHost& host, const BackendFacts& facts, base::WallTime now) {
  Words words = wordsOf(host);
  if (facts.powerFailure && words.powerFailureMatters) words.manageable = {false, powerFailure};

  const Setter set{host, now};
  set("Ready", words.ready);
  set("AvailableForProvisioning", words.available);
  set("Manageable", words.manageable);
  set("Progressing", words.progressing);
  set("Provisioned", words.provisioned);
  setHealth(set, host.status.conditions, facts.health);
  setPowerUnread(set);
  sortReadyFirst(host.status.conditions);
}

void notePowerKnown(api::BareMetalHost& host, bool known, const std::string& why, base::WallTime now) {
  Setter{host, now}(powerStateKnown, known ? "True" : "Unknown", known ? "Read" : noFreshReading, why);
}

void boundTexts(api::BareMetalHost& host) {
  const auto bound = [](std::string& text) {
    if (text.size() > longestText) text = base::cutText(text, longestText);
  };
  bound(host.status.errorMessage);
  for (kube::Condition& condition : host.status.conditions) bound(condition.message);
}

bool powerKnown(const api::BareMetalHost& host) { return kube::isTrue(host.status.conditions, powerStateKnown); }

bool powerFailureMatters(const api::BareMetalHost& host) { return wordsOf(host).powerFailureMatters; }

bool showsPowerFailure(const api::BareMetalHost& host) {
  const auto* manageable = kube::findCondition(host.status.conditions, "Manageable");
  return manageable != nullptr && manageable->reason == powerFailure;
}

}  // namespace ingot::coordinator::host
