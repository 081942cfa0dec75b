#include "bmc/redfish/network_cards.hpp"

#include "base/text.hpp"
#include "bmc/model/mac.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/network_resources.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostAddresses = 8;  // of a network card
constexpr std::size_t mostChassis = 64, mostAdapters = 32, mostCards = 256;
constexpr std::size_t mostFunctionsSingly = 64, mostPortsSingly = 16;  // of an adapter
constexpr base::Duration adapterPatience = std::chrono::minutes(3);

// As BMCs say that no switch has told this.
constexpr std::string_view untold[] = {"No Link", "Not Available", "Not Supported", "N/A", "None"};

void addAddresses(std::vector<std::string>& into, const Fact<std::vector<IpAddressOf>>& from) {
  if (!from) return;
  for (const auto& [address] : *from) {
    const auto text = textOf(address);
    const bool isNone = text.empty() || text == "0.0.0.0" || text == "::";
    if (!isNone && into.size() < mostAddresses) into.push_back(text);
  }
}

std::optional<std::string> macOf(const Fact<std::string>& mac, const Fact<std::string>& permanentMac) {
  const auto found = normaliseMac(textOf(mac));
  return found ? found : normaliseMac(textOf(permanentMac));
}

// Ports tell it without separators, too.
std::optional<std::string> macIn(std::string_view text) {
  std::string digits(base::trimmed(text));
  const bool isBare = digits.size() == 12 && digits.find_first_of(":-") == std::string::npos;
  for (std::size_t at = 2; isBare && at < digits.size(); at += 3) digits.insert(at, ":");
  return normaliseMac(digits);
}

std::string modelOf(const NetworkAdapter& adapter) {
  const auto maker = textOf(adapter.manufacturer);
  auto model = textOf(adapter.model);
  if (maker.empty() || model.starts_with(maker)) return model;
  return model.empty() ? maker : maker + " " + model;
}

// In an enclosure of several systems.
bool isOfOthers(const NetworkChassis& chassis, std::string_view systemPath) {
  if (!chassis.links || chassis.links->systems.empty()) return false;
  return std::ranges::none_of(chassis.links->systems, [&](const Link& link) {
    return link.id && withoutSlash(*link.id) == withoutSlash(systemPath);
  });
}

std::string linkOf(const Fact<std::string>& status) {
  const auto text = textOf(status);
  if (text == "LinkUp" || text == "Up") return "up";
  return text == "LinkDown" || text == "NoLink" || text == "Down" ? "down" : "";
}

std::int64_t vlanOf(const Fact<Vlan>& vlan) {
  constexpr std::int64_t mostVlan = 4094;
  const auto id = vlan && vlan->isEnabled.value_or(true) ? whole(vlan->id) : 0;
  return id <= mostVlan ? id : 0;
}

std::string toldOf(const Fact<std::string>& fact) {
  auto text = textOf(fact);
  return std::ranges::find(untold, text) == std::end(untold) ? text : std::string();
}

LldpNeighbour neighbourOf(const NetworkPort& port) {
  if (!port.ethernet || !port.ethernet->lldp) return {};
  const auto& [chassisId, portId, systemName] = *port.ethernet->lldp;
  return {.switchId = toldOf(chassisId), .portId = toldOf(portId), .systemName = toldOf(systemName)};
}

std::string portOf(const NetworkDeviceFunction& function) {
  for (const auto& link : {function.links ? function.links->networkPort : Fact<Link>(),
                           function.links ? function.links->port : Fact<Link>(), function.port})
    if (link && link->id) return std::string(withoutSlash(*link->id));
  return {};
}

std::int64_t speedOf(const NetworkPort& port) {
  constexpr double megabitsOfGigabit = 1000, most = 1e9;
  if (port.megabits) return whole(port.megabits);
  return port.gigabits ? whole(Fact<double>(std::min(*port.gigabits, most) * megabitsOfGigabit)) : 0;
}

}  // namespace

NetworkCards::NetworkCards(Connection& connection, Lane lane, Walker& walker)
    : walker_(walker), adapterWalker_(connection, lane, Walker::Missing::unreadable, adapterPatience) {}

base::Task<std::vector<NetworkCard>> NetworkCards::read(std::string systemPath, SystemHardware system) {
  systemPath_ = std::move(systemPath);
  co_await readInterfaces(system.ethernetInterfaces);
  hasInterfaces_ = !cards_.empty();
  std::vector<std::string> chassis;
  if (system.links) adapterWalker_.take(system.links->chassis, chassis);
  auto adapters = readAllAdapters(std::move(chassis));
  if (hasInterfaces_)
    co_await adapterWalker_.tolerate(std::move(adapters));
  else
    co_await std::move(adapters);
  for (auto& why : adapterWalker_.unread()) walker_.note(std::move(why));
  co_return std::move(cards_);
}

base::Task<void> NetworkCards::readInterfaces(std::optional<Link> interfaces) {
  const auto addInterface = [&](const EthernetInterface& found) {
    const auto mac = macOf(found.mac, found.permanentMac);
    if (!mac) return;
    NetworkCard card{.name = textOf(found.id),
                     .mac = *mac,
                     .megabitsPerSecond = whole(found.megabits),
                     .link = linkOf(found.linkStatus),
                     .vlanId = vlanOf(found.vlan)};
    addAddresses(card.addresses, found.ipv4);
    addAddresses(card.addresses, found.ipv6);
    cards_.push_back(std::move(card));
  };
  co_await walker_.visit<EthernetInterface>(std::move(interfaces), addInterface);
}

base::Task<void> NetworkCards::readAllAdapters(std::vector<std::string> chassis) {
  std::vector<std::string> contained, none;
  co_await readAdapters(std::move(chassis), contained);
  if (cards_.empty()) co_await readAdapters(std::move(contained), none);
}

// `contained`: chassis within these, which may have adapters of their own.
base::Task<void> NetworkCards::readAdapters(std::vector<std::string> chassis, std::vector<std::string>& contained) {
  if (chassis.size() > mostChassis) {
    adapterWalker_.note(
        fmt::format("{} chassis: only {} were asked for network adapters", chassis.size(), mostChassis));
    chassis.resize(mostChassis);
  }
  for (const auto& path : chassis) {
    const auto found = co_await adapterWalker_.get<NetworkChassis>(path);
    if (!found || isOfOthers(*found, systemPath_)) continue;
    if (found->links) adapterWalker_.take(found->links->contains, contained);
    for (const auto& adapter : co_await adapterWalker_.memberPaths(found->adapters)) {
      if (adapters_ == mostAdapters) {
        adapterWalker_.note(fmt::format("more than {} network adapters: the rest was not looked at", mostAdapters));
        co_return;
      }
      if (adapterWalker_.givesUpAt(adapter)) co_return;
      ++adapters_;
      co_await readAdapter(adapter);
    }
  }
}

base::Task<void> NetworkCards::readAdapter(std::string path) {
  const auto adapter = co_await adapterWalker_.get<NetworkAdapter>(std::move(path));
  if (!adapter || isAbsent(adapter->status)) co_return;
  Ports known{.adapter = textOf(adapter->id), .model = modelOf(*adapter), .macs = {}};
  const auto before = cards_.size();
  const auto addFunction = [&](const NetworkDeviceFunction& function) {
    if (!function.ethernet || isAbsent(function.status)) return;
    const auto mac = macOf(function.ethernet->mac, function.ethernet->permanentMac);
    if (!mac) return;
    if (auto port = portOf(function); !port.empty()) known.macs[std::move(port)].push_back(*mac);
    add({.name = known.adapter + "-" + textOf(function.id), .mac = *mac, .model = known.model}, Unknown::isNew);
  };
  co_await adapterWalker_.visitExpanded<NetworkDeviceFunction>(adapter->functions, mostFunctionsSingly, addFunction);
  known.areCards = before == cards_.size();
  if (const auto& ports = adapter->ports ? adapter->ports : adapter->oldPorts)
    co_await readPorts(std::move(known), *ports);
}

// A port is known by the MACs that it tells, or by those of the functions behind it.
base::Task<void> NetworkCards::readPorts(Ports known, Link ports) {
  const auto addPort = [&](const NetworkPort& port) {
    const NetworkCard card{.name = known.adapter + "-" + textOf(port.id),
                           .mac = {},
                           .model = known.model,
                           .megabitsPerSecond = speedOf(port),
                           .addresses = {},
                           .link = linkOf(port.linkStatus),
                           .neighbour = neighbourOf(port)};
    const auto addAs = [&](const std::string& mac, Unknown unknown) {
      auto one = card;
      one.mac = mac;
      add(std::move(one), unknown);
    };
    const auto& told = port.ethernet && port.ethernet->macs ? port.ethernet->macs : port.addresses;
    for (const auto& text : told.value_or(std::vector<std::string>{}))
      if (const auto mac = macIn(text)) addAs(*mac, known.areCards ? Unknown::isNew : Unknown::isNone);
    const auto behind = known.macs.find(std::string(withoutSlash(textOf(port.path))));
    if (behind == known.macs.end()) return;
    for (const auto& mac : behind->second) addAs(mac, Unknown::isNone);
  };
  co_await adapterWalker_.visitExpanded<NetworkPort>(std::move(ports), mostPortsSingly, addPort);
}

// Tells of a card that is known already what is not known of it; another one counts only where the system lists none.
void NetworkCards::add(NetworkCard card, Unknown unknown) {
  bool isKnown = false;
  for (auto& known : cards_) {  // an interface and its VLANs are several
    if (known.mac != card.mac) continue;
    isKnown = true;
    if (known.model.empty()) known.model = card.model;
    if (known.megabitsPerSecond == 0) known.megabitsPerSecond = card.megabitsPerSecond;
    if (known.link.empty()) known.link = card.link;
    if (known.neighbour == LldpNeighbour{}) known.neighbour = card.neighbour;
  }
  const bool counts = unknown == Unknown::isNew && !hasInterfaces_ && cards_.size() < mostCards;
  if (!isKnown && counts) cards_.push_back(std::move(card));
}

}  // namespace ingot::bmc::redfish
