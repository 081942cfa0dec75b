#include "bmc/redfish/leak_reader.hpp"

#include "bmc/redfish/hardware_facts.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration believedNowhere = std::chrono::hours(1);
constexpr std::size_t mostNowhere = 64;    // chassis
constexpr std::size_t mostDetectors = 64;  // of one that are read one by one, however many other parts there are

bool leadsSomewhere(const Fact<Link>& link) { return link && link->id; }

// One that is off, or is not there, tells of no leak.
bool isWatching(const LeakDetector& detector) {
  return !detector.status || !detector.status->state || *detector.status->state == "Enabled";
}

}  // namespace

base::Task<void> LeakReader::read(Chassis chassis, std::optional<ThermalSubsystem> subsystem) {
  if (leadsSomewhere(chassis.leakDetectors)) co_return co_await readDetectors(chassis.leakDetectors);
  if (!subsystem && leadsSomewhere(chassis.thermalSubsystem)) {
    const std::string path = *chassis.thermalSubsystem->id;
    std::erase_if(nowhere_, [now = connection_.now()](const auto& known) { return now >= known.second; });
    if (nowhere_.contains(path)) co_return;
    auto found = co_await walker_.find<ThermalSubsystem>(path);
    if (!found.read && !found.isAbsent) co_return;
    if (found.read) subsystem = std::move(found.read->resource);
    if (!subsystem || !leadsSomewhere(subsystem->leakDetection)) noteNowhere(path);
  }
  if (subsystem && leadsSomewhere(subsystem->leakDetection)) co_await readDetection(*subsystem->leakDetection->id);
}

void LeakReader::noteNowhere(const std::string& path) {
  if (nowhere_.size() >= mostNowhere) nowhere_.clear();
  nowhere_[path] = connection_.now() + believedNowhere;
}

base::Task<void> LeakReader::readDetection(std::string path) {
  const auto detection = co_await walker_.get<LeakDetection>(std::move(path));
  if (!detection) co_return;
  if (leadsSomewhere(detection->detectors)) co_return co_await readDetectors(detection->detectors);
  if (!detection->groups) co_return;
  for (const auto& group : *detection->groups)
    if (group.detectors)
      for (const auto& detector : *group.detectors) add(detector);
}

base::Task<void> LeakReader::readDetectors(Fact<Link> collection) {
  co_await walker_.visitExpanded<LeakDetector>(std::move(collection), mostDetectors,
                                               [this](const LeakDetector& detector) { add(detector); });
}

// A leak is what it says of the liquid; that it has failed itself counts as well.
void LeakReader::add(const LeakDetector& detector) {
  if (isAbsent(detector.status)) return;
  auto name = firstTextOf({detector.name, detector.deviceName, detector.id});
  auto part = componentOf("leak-detector", detector.path ? detector.path : detector.source,
                          name.empty() ? "Leak detector" : std::move(name), detector.status);
  const auto leak = parseHealth(isWatching(detector) ? textOf(detector.state) : std::string());
  if (leak) part.health = toText(std::max(*leak, parseHealth(part.health).value_or(Health::unknown)));
  worst_ = std::max(worst_, parseHealth(part.health).value_or(Health::unknown));
  found_.addPart(std::move(part));
}

}  // namespace ingot::bmc::redfish
