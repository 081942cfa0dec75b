#include "tests/support/ironic/api.hpp"

#include <stdexcept>

namespace ingot::tests::fake {

namespace {

class OwnMachine final : public FakeMachine {
 public:
  [[nodiscard]] bool poweredOn() const override { return on_; }
  void setPower(bool on) override { on_ = on; }

 private:
  bool on_ = false;
};

json::Object defaults() {
  return {{"name", nullptr},
          {"driver", "fake-hardware"},
          {"provision_state", "enroll"},
          {"target_provision_state", nullptr},
          {"power_state", nullptr},
          {"target_power_state", nullptr},
          {"maintenance", false},
          {"maintenance_reason", nullptr},
          {"fault", nullptr},
          {"last_error", nullptr},
          {"reservation", nullptr},
          {"instance_uuid", nullptr},
          {"automated_clean", nullptr},
          {"disable_power_off", false},
          {"driver_info", json::Object()},
          {"properties", json::Object()},
          {"instance_info", json::Object()},
          {"extra", json::Object()},
          {"network_data", json::Object()},
          {"raid_config", json::Object()},
          {"target_raid_config", json::Object()},
          {"clean_step", json::Object()},
          {"deploy_step", json::Object()},
          {"service_step", json::Object()},
          {"deploy_interface", "direct"},
          {"inspect_interface", "agent"},
          {"boot_interface", "ipxe"},
          {"raid_interface", "no-raid"},
          {"health", nullptr}};
}

bool isNamed(const Node& node, std::string_view name) {
  const json::Value* own = node.record.if_contains("name");
  return own != nullptr && own->is_string() && own->get_string() == name;
}

}  // namespace

Node* Store::find(std::string_view idOrName) {
  auto found = nodes_.find(idOrName);
  if (found == nodes_.end())
    found = std::ranges::find_if(nodes_, [&](auto& one) { return isNamed(*one.second, idOrName); });
  if (found == nodes_.end()) return nullptr;
  found->second->settle();
  return found->second.get();
}

Node& Store::at(const std::string& idOrName) {
  if (Node* node = find(idOrName)) return *node;
  throw std::out_of_range("the Ironic double has no node " + idOrName);
}

std::vector<Node*> Store::all() {
  std::vector<Node*> out;
  for (auto& [uuid, node] : nodes_) {
    node->settle();
    out.push_back(node.get());
  }
  return out;
}

Node& Store::create(json::Object fields) {
  json::Object record = defaults();
  for (const auto& [key, value] : fields) record[key] = value;
  std::string uuid = json::textAt(record, {"uuid"});
  if (uuid.empty()) uuid = newUuid();
  record["uuid"] = uuid;
  auto machine = machineFor ? machineFor(record["driver_info"].get_object()) : nullptr;
  if (!machine) machine = std::make_shared<OwnMachine>();
  auto& slot = nodes_[uuid];
  slot = std::make_unique<Node>(std::move(record), std::move(machine), options_, runtime_.clock);
  return *slot;
}

void Store::erase(const std::string& uuid) {
  nodes_.erase(uuid);
  std::erase_if(ports, [&](const json::Object& port) { return json::textAt(port, {"node_uuid"}) == uuid; });
}

void Store::clear() {
  nodes_.clear();
  ports.clear();
}

}  // namespace ingot::tests::fake
