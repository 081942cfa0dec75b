#include "bmc/redfish/network_cards.hpp"

#include "base/text.hpp"
#include "bmc/model/mac.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/network_resources.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t mostAddresses = 8;  // of a network card
constexpr std::size_t mostChassis = 64, mostAdapters = 32, mostCards = 256;

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

std::int64_t speedOf(const NetworkPort& port) {
  constexpr double megabitsOfGigabit = 1000, most = 1e9;
  if (port.megabits) return whole(port.megabits);
  return port.gigabits ? whole(Fact<double>(std::min(*port.gigabits, most) * megabitsOfGigabit)) : 0;
}

}  // namespace

base::Task<std::vector<NetworkCard>> NetworkCards::read(std::string systemPath, SystemHardware system) {
  systemPath_ = std::move(systemPath);
  const auto addInterface = [&](const EthernetInterface& found) {
    const auto mac = macOf(found.mac, found.permanentMac);
    if (!mac) return;
    NetworkCard card{.name = textOf(found.id), .mac = *mac, .megabitsPerSecond = whole(found.megabits)};
    addAddresses(card.addresses, found.ipv4);
    addAddresses(card.addresses, found.ipv6);
    cards_.push_back(std::move(card));
  };
  co_await walker_.visit<EthernetInterface>(system.ethernetInterfaces, addInterface);
  hasInterfaces_ = !cards_.empty();

  std::vector<std::string> chassis, contained;
  if (system.links) adapterWalker_.take(system.links->chassis, chassis);
  co_await readAdapters(std::move(chassis), contained);
  std::vector<std::string> none;
  if (cards_.empty()) co_await readAdapters(std::move(contained), none);
  if (!hasInterfaces_)
    for (auto& why : adapterWalker_.unread()) walker_.note(std::move(why));
  co_return std::move(cards_);
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
      ++adapters_;
      co_await readAdapter(adapter);
    }
  }
}

base::Task<void> NetworkCards::readAdapter(std::string path) {
  const auto adapter = co_await adapterWalker_.get<NetworkAdapter>(std::move(path));
  if (!adapter || isAbsent(adapter->status)) co_return;
  const auto name = textOf(adapter->id), model = modelOf(*adapter);
  if (hasInterfaces_ && model.empty()) co_return;
  const auto before = cards_.size();
  bool isKnown = false;
  const auto addFunction = [&](const NetworkDeviceFunction& function) {
    if (!function.ethernet || isAbsent(function.status)) return;
    const auto mac = macOf(function.ethernet->mac, function.ethernet->permanentMac);
    if (!mac) return;
    isKnown = true;
    add({.name = name + "-" + textOf(function.id), .mac = *mac, .model = model});
  };
  co_await adapterWalker_.visit<NetworkDeviceFunction>(adapter->functions, addFunction);
  if (isKnown && hasInterfaces_) co_return;
  if (const auto& ports = adapter->ports ? adapter->ports : adapter->oldPorts; ports && before == cards_.size())
    co_await readPorts(name, model, *ports);
}

base::Task<void> NetworkCards::readPorts(std::string adapter, std::string model, Link ports) {
  const auto addPort = [&](const NetworkPort& port) {
    const auto& macs = port.ethernet && port.ethernet->macs ? port.ethernet->macs : port.addresses;
    if (!macs) return;
    for (const auto& text : *macs)
      if (const auto mac = macIn(text))
        add({.name = adapter + "-" + textOf(port.id), .mac = *mac, .model = model, .megabitsPerSecond = speedOf(port)});
  };
  co_await adapterWalker_.visit<NetworkPort>(std::move(ports), addPort);
}

// Tells of a card that is known already what is not known of it; another one counts only where the system lists none.
void NetworkCards::add(NetworkCard card) {
  const auto known = std::ranges::find(cards_, card.mac, &NetworkCard::mac);
  if (known == cards_.end()) {
    if (!hasInterfaces_ && cards_.size() < mostCards) cards_.push_back(std::move(card));
    return;
  }
  if (known->model.empty()) known->model = std::move(card.model);
  if (known->megabitsPerSecond == 0) known->megabitsPerSecond = card.megabitsPerSecond;
}

}  // namespace ingot::bmc::redfish
