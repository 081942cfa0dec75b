#include "tests/matrix/life.hpp"

namespace ingot::tests::matrix {

namespace {

constexpr base::Duration patience = std::chrono::hours(1);

int timesSent(Plant& plant, const std::string& host, std::string_view verb) {
  return static_cast<int>(std::ranges::count_if(plant.ironic.journal(), [&](const FakeIronic::Request& request) {
    constexpr std::string_view before = "/v1/nodes/", after = "/states/provision";
    if (request.status != 202 || !request.path.ends_with(after)) return false;
    const auto uuid = request.path.substr(before.size(), request.path.size() - before.size() - after.size());
    return plant.hostOfNode(uuid) == host && json::textAt(request.body, {"target"}) == verb;
  }));
}

std::string unnamedCause(Plant& plant, const std::string& host, const std::vector<std::string_view>& causes) {
  for (const std::string& message : plant.messagesOf(host)) {
    const bool named =
        std::ranges::any_of(causes, [&](auto cause) { return message.find(cause) != std::string::npos; });
    if (!named) return fmt::format("the error shown does not name the cause: \"{}\"", message);
  }
  return "";
}

}  // namespace

bool Life::reached() const {
  if (next_ == 0) return true;
  return story_.stations[next_ - 1].reached(plant_, host_, plant_.runtime.clock.now() - since_);
}

std::string Life::stuck() const {
  const auto* it = plant_.host(host_);
  if (it == nullptr) return "the host is gone";
  return fmt::format("stuck in \"{}\", powered {}, BMC {}, {} ({}) {} errors \"{}\"", it->status.provisioning.state,
                     it->status.poweredOn, plant_.server(host_).bmc.powerState, it->status.operationalStatus,
                     it->status.errorType, it->status.errorCount, it->status.errorMessage);
}

std::string Life::lostCredentials() const {
  const auto secret = plant_.secretOf(host_);
  if (plant_.host(host_) == nullptr) {
    const bool held = secret && !secret->metadata.finalizers.empty();
    return held ? "the Secret of a deleted host is still held" : "";
  }
  const std::string& password = plant_.server(host_).password;
  if (!secret || secret->data.at("password") != kube::SecretBytes(password)) return "the Secret is lost";
  if (secret->metadata.finalizers.size() != 1 || secret->metadata.ownerReferences.size() != 1)
    return "the Secret is not held by its host";
  const json::Value node(plant_.ironic.record(plant_.nodeOf(host_)));
  return json::textAt(node, {"driver_info", plant_.driverKey("password")}) == password ? ""
                                                                                       : "Ironic has another password";
}

void Life::step() {
  if (over()) return;
  if (!reached() || !plant_.quiet(host_)) {
    if (plant_.runtime.clock.now() - since_ > patience) failure_ = stuck();
    return;
  }
  if (next_ > 0) failure_ = lostCredentials();
  if (!failure_.empty() || next_++ == story_.stations.size()) return;
  since_ = plant_.runtime.clock.now();
  story_.stations[next_ - 1].begin(plant_, host_);
}

std::string audit(Plant& plant, const Story& story, const std::string& host,
                  const std::vector<std::string_view>& causes) {
  if (!plant.breaches(host).empty()) return plant.breaches(host).front();
  if (const int made = plant.server(host).nodesMade; made != 1) return fmt::format("{} nodes were made", made);
  struct Count {
    std::string_view verb;
    int least, most;
  };
  const int inspections = story.inspections;
  for (const auto& [verb, least, most] : {Count{"active", 1, 1}, Count{"deleted", 1, 1},
                                          Count{"inspect", inspections, inspections + story.requestedAgain}}) {
    if (const int times = timesSent(plant, host, verb); times < least || times > most)
      return fmt::format("\"{}\" was accepted {} times", verb, times);
  }
  if (const int times = plant.server(host).timesOff; times != story.timesOff)
    return fmt::format("it was switched off {} times while it was provisioned", times);
  if (plant.ironic.has(plant.nodeOf(host))) return "the node is still there";
  return unnamedCause(plant, host, causes);
}

void live(Plant& plant, std::vector<Life>& lives) {
  const auto allOver = [&] { return std::ranges::all_of(lives, [](const Life& life) { return life.over(); }); };
  while (!allOver()) {
    plant.tick();
    for (Life& life : lives) life.step();
  }
}

}  // namespace ingot::tests::matrix
