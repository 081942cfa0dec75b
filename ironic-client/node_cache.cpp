#include "ironic-client/node_cache.hpp"

#include <algorithm>
#include <tuple>

namespace ingot::ironic {

namespace {

// Whether something has changed that those who wait for the node wait for.
bool moved(const Node& before, const Node& after) {
  const auto essence = [](const Node& n) {
    return std::tie(n.name, n.provisionState.text(), n.targetProvisionState.text(), n.powerState, n.targetPowerState,
                    n.maintenance, n.maintenanceReason, n.fault, n.health, n.lastError);
  };
  const bool released = !before.reservation.empty() && after.reservation.empty();
  return released || essence(before) != essence(after);
}

// Whether the record is probably unchanged. Ironic changes it by itself only while it moves the node on. What others
// write may escape this comparison, so a record is read again after a while all the same.
bool sameRecord(const Node& a, const Node& b) {
  return !moved(a, b) && a.reservation == b.reservation && a.provisionUpdatedAt == b.provisionUpdatedAt &&
         a.instanceUuid == b.instanceUuid && a.automatedClean == b.automatedClean &&
         a.deployInterface == b.deployInterface && a.inspectInterface == b.inspectInterface;
}

constexpr base::Duration rereadAfter = std::chrono::minutes(5);

bool underWay(const Node& node) {
  return isTransient(node.state()) || !node.targetPowerState.empty() || !node.reservation.empty();
}

}  // namespace

std::vector<std::string> sweptFields(bool withHealth) {
  std::vector<std::string> out{"uuid",
                               "name",
                               "provision_state",
                               "target_provision_state",
                               "power_state",
                               "target_power_state",
                               "maintenance",
                               "maintenance_reason",
                               "fault",
                               "last_error",
                               "reservation",
                               "boot_interface",
                               "deploy_interface",
                               "inspect_interface",
                               "instance_uuid",
                               "automated_clean",
                               "provision_updated_at"};
  if (withHealth) out.emplace_back("health");
  return out;
}

void NodeCache::learn(Node node, Ticket asked, base::MonoTime now) {
  Entry& entry = entries_[node.uuid];
  if (asked < entry.ticket) return;
  unsettled_.erase(node.uuid);
  entry = {std::make_shared<const Node>(std::move(node)), true, now, now, asked};
}

// True when there is something to tell.
bool NodeCache::update(Entry& entry, Node swept, base::MonoTime now) {
  entry.observedAt = now;
  if (entry.latest && sameRecord(*entry.latest, swept)) return false;
  const bool tell = !entry.latest || moved(*entry.latest, swept);
  entry.latest = std::make_shared<const Node>(std::move(swept));
  entry.whole = false;
  return tell;
}

void NodeCache::learnAll(std::vector<Node> swept, Ticket asked, base::MonoTime now) {
  sweptAt_ = now;
  std::vector<std::string> news;
  std::set<std::string, std::less<>> present;
  for (Node& node : swept) {
    const std::string uuid = node.uuid;
    present.insert(uuid);
    Entry& entry = entries_[uuid];
    if (asked < entry.ticket) continue;
    entry.ticket = asked;
    const bool awaited = settle(uuid);
    if (update(entry, std::move(node), now) || awaited) news.push_back(uuid);
  }
  std::erase_if(entries_, [&](const auto& item) {
    const bool lost = !present.contains(item.first) && item.second.ticket <= asked;
    if (lost) news.push_back(item.first);
    if (lost) unsettled_.erase(item.first);
    return lost;
  });
  for (const std::string& uuid : news) changed_(uuid);
}

// From now on no answer to an earlier request is believed.
void NodeCache::distrust(const std::string& uuid) {
  Entry& entry = entries_[uuid];
  entry.whole = false;
  entry.ticket = ++lastTicket_;
}

// Ends the unsettled state of the node. True when somebody waits for it.
bool NodeCache::settle(const std::string& uuid) {
  const auto it = unsettled_.find(uuid);
  if (it == unsettled_.end()) return false;
  const bool awaited = it->second;
  unsettled_.erase(it);
  return awaited;
}

NodeCache::Change::Change(NodeCache& cache, std::string uuid) : cache_(cache), uuid_(std::move(uuid)) {
  cache_.distrust(uuid_);
  ++cache_.underWay_[uuid_];
}

NodeCache::Change::~Change() {
  if (--cache_.underWay_[uuid_] == 0) cache_.underWay_.erase(uuid_);
  if (outcome_ == Outcome::nothing) return;
  cache_.distrust(uuid_);
  cache_.unsettled_[uuid_] |= outcome_ == Outcome::begins;
}

void NodeCache::gone(const std::string& uuid) {
  entries_.erase(uuid);
  unsettled_.erase(uuid);
}

std::shared_ptr<const Node> NodeCache::find(const std::string& uuid, base::MonoTime notBefore) const {
  const auto it = entries_.find(uuid);
  if (it == entries_.end() || !it->second.whole) return nullptr;
  const Entry& entry = it->second;
  const bool recent = entry.observedAt >= notBefore && entry.readAt + rereadAfter >= notBefore;
  return recent ? entry.latest : nullptr;
}

std::optional<SeenNode> NodeCache::look(const std::string& uuid) const {
  const auto it = entries_.find(uuid);
  if (it == entries_.end() || !it->second.latest) return std::nullopt;
  return SeenNode{it->second.latest, it->second.observedAt};
}

std::vector<SeenNode> NodeCache::all() const {
  std::vector<SeenNode> out;
  for (const auto& [uuid, entry] : entries_)
    if (entry.latest) out.push_back({entry.latest, entry.observedAt});
  return out;
}

bool NodeCache::restless() const {
  return !unsettled_.empty() || !underWay_.empty() ||
         std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& item) { return item.second.latest && underWay(*item.second.latest); });
}

}  // namespace ingot::ironic
