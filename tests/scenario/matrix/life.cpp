#include "tests/scenario/matrix/life.hpp"

namespace ingot::tests::matrix {

namespace {

constexpr base::Duration patience = std::chrono::hours(1);

constexpr auto deployment =
    R"({"spec":{"online":true,"image":{"url":"http://i/a.raw","checksum":"http://i/s","checksumType":"sha256","format":"raw"}}})";

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

void Life::begin(Stage stage) {
  stage_ = stage;
  since_ = plant_.runtime.clock.now();
  switch (stage) {
    case Stage::unborn:
    case Stage::ended: return;
    case Stage::available: return plant_.addHost(host_);
    case Stage::provisioned: return plant_.patchHost(host_, deployment);
    case Stage::off: return plant_.patchHost(host_, R"({"spec":{"online":false}})");
    case Stage::on: return plant_.patchHost(host_, R"({"spec":{"online":true}})");
    case Stage::released: return plant_.patchHost(host_, R"({"spec":{"image":null}})");
    case Stage::removed: return plant_.removeHost(host_);
  }
}

// At rest, as wanted, and nothing remembered of what went wrong on the way.
bool Life::settled(std::string_view state, bool on) const {
  const auto* it = plant_.host(host_);
  if (it == nullptr || it->status.provisioning.state != state || it->status.poweredOn != on) return false;
  if (plant_.server(host_).bmc.powerState != (on ? "On" : "Off")) return false;
  const auto& status = it->status;
  const bool known = std::ranges::any_of(
      status.conditions, [](const auto& c) { return c.type == "PowerStateKnown" && c.status == "True"; });
  return known && status.operationalStatus == "OK" && status.errorType.empty() && status.errorMessage.empty() &&
         status.errorCount == 0;
}

bool Life::reached() const {
  switch (stage_) {
    case Stage::unborn: return true;
    case Stage::available: return settled("available", false);
    case Stage::provisioned:
    case Stage::on: return settled("provisioned", true);
    case Stage::off: return settled("provisioned", false);
    case Stage::released: return settled("available", true);
    case Stage::removed: return plant_.host(host_) == nullptr;
    case Stage::ended: return false;
  }
  return false;
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
  if (stage_ == Stage::removed) {
    const bool held = secret && !secret->metadata.finalizers.empty();
    return held ? "the Secret of a deleted host is still held" : "";
  }
  if (!secret || secret->data.at("password") != kube::SecretBytes("s3cret")) return "the Secret is lost";
  if (secret->metadata.finalizers.size() != 1 || secret->metadata.ownerReferences.size() != 1)
    return "the Secret is not held by its host";
  const json::Value node(plant_.ironic.record(plant_.nodeOf(host_)));
  return json::textAt(node, {"driver_info", "redfish_password"}) == "s3cret" ? "" : "Ironic has no password";
}

void Life::step() {
  if (over()) return;
  if (!reached() || !plant_.quiet(host_)) {
    if (plant_.runtime.clock.now() - since_ > patience) failure_ = stuck();
    return;
  }
  if (stage_ != Stage::unborn) failure_ = lostCredentials();
  if (failure_.empty()) begin(static_cast<Stage>(static_cast<int>(stage_) + 1));
}

std::string audit(Plant& plant, const std::string& host, const std::vector<std::string_view>& causes) {
  if (!plant.breaches(host).empty()) return plant.breaches(host).front();
  if (const int made = plant.server(host).nodesMade; made != 1) return fmt::format("{} nodes were made", made);
  for (const std::string_view once : {"active", "deleted", "inspect"}) {
    if (const int times = timesSent(plant, host, once); times != 1)
      return fmt::format("\"{}\" was accepted {} times", once, times);
  }
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
