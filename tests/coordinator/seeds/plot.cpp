#include "tests/coordinator/seeds/plot.hpp"

#include <algorithm>
#include <array>

namespace ingot::tests::seeds {

namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Claims that are older than what looks after them, or go before it comes.
void suitArrival(Plot& plot, const std::string& write) {
  if (write == "data: PATCH metal3dataclaims finalizer") plot.dataTemplate = Arrival::late;
  if (write == "ipam: PATCH ipclaims finalizer") plot.pool = Arrival::late;
  const bool isIdle = write == "machine: PATCH baremetalhosts";  // a host that is let go before it ran
  if (isIdle) plot.hasData = true;
  if (isIdle || write == "machine: PATCH metal3dataclaims let go") {
    plot.dataTemplate = Arrival::afterReplacement;
    plot.pool = Arrival::first;
  }
  if (write == "data: PATCH ipclaims let go") {
    plot.pool = Arrival::afterReplacement;
    plot.dataTemplate = Arrival::first;
  }
}

// What follows a claim of which nobody knows what became: its machine goes, or takes another host.
bool isOfLostClaim(const std::string& write) {
  return write.ends_with("mark") || write == "machine: PATCH metal3machines link";
}

// What a host is told of a pause, and whom it is kept for; and that there is none yet.
void suitHost(Plot& plot, const std::string& write) {
  if (write.ends_with(" rest") || write.ends_with(" wake") || write.ends_with(" allow move")) {
    plot.pause = Pause::cluster;
    plot.pausesInService = true;
    if (write.starts_with("host_move")) plot.clusters = 1;  // hosts without a machine rest when all Clusters do
  }
  if (write.ends_with("machines template")) {
    plot.hasData = plot.hostsComeLate = true;
    plot.pause = Pause::nobody;
  }
  if (!write.ends_with(" keep")) return;
  plot.reusesHosts = true;
  plot.reusesLater = false;
  plot.replaced = Replaced::someTime;
  plot.dataTemplate = plot.pool = Arrival::first;
}

void suit(Plot& plot, const std::string& write) {
  if (holds(write, "ip") || holds(write, "metal3data")) plot.hasData = true;
  if (holds(write, "ipaddressclaims")) (write.starts_with("data") ? plot.foreignPool : plot.sharesPool) = true;
  suitArrival(plot, write);
  suitHost(plot, write);
  if (!write.starts_with("remediation")) return;
  plot.remediates = true;
  plot.obeys = !holds(write, "machines") && !holds(write, "unhealthy");
  if (holds(write, "nodes")) plot.forgetsTaint = !holds(write, "service");
}

// What a life is sure to do once only is struck the first time.
bool isSeldom(const std::string& write) {
  constexpr std::array seldom = {"remediation:",
                                 "cluster:",
                                 "ippools",
                                 "metal3datatemplates",
                                 "dataclaims finalizer",
                                 "dataclaims let go",
                                 "ipclaims finalizer",
                                 "ipam: PATCH ipaddressclaims",
                                 "mark",
                                 "metal3machines link",
                                 "metal3machines template",
                                 " keep",
                                 " rest",
                                 " wake",
                                 " move"};
  return write == "machine: PATCH baremetalhosts" || write == "data: PATCH ipclaims let go" ||
         std::ranges::any_of(seldom, [&](std::string_view part) { return holds(write, part); });
}

}  // namespace

Plot plotOf(std::uint64_t seed, const Pair& wanted, const std::vector<Pair>& also) {
  const auto random = base::seededRandom(seed * 2 + 1);
  const auto oneIn = [&](std::uint64_t n) { return random->below(n) == 0; };
  Plot plot;
  plot.clusters = oneIn(4) ? 2 : 1;
  plot.machines = 1 + static_cast<int>(random->below(3));
  plot.hosts = plot.machines + 1;
  plot.hasData = !oneIn(6);
  plot.hostsComeLate = oneIn(10);
  constexpr std::array replaced = {Replaced::never, Replaced::someTime, Replaced::atFirstFault, Replaced::atFirstFault};
  plot.replaced = replaced[random->below(replaced.size())];
  plot.remediates = oneIn(5);
  plot.obeys = !oneIn(4);
  plot.ownersAreOld = oneIn(2);
  plot.forgetsTaint = oneIn(3);
  if (oneIn(8)) plot.dataTemplate = oneIn(2) ? Arrival::late : Arrival::afterReplacement;
  if (oneIn(8)) plot.pool = Arrival::late;
  constexpr std::array paused = {Pause::cluster, Pause::machine, Pause::nobody, Pause::nobody, Pause::nobody};
  plot.pause = paused[random->below(paused.size())];
  plot.pausesInService = oneIn(2);
  plot.reusesHosts = oneIn(3);
  plot.reusesLater = plot.reusesHosts && oneIn(2);
  plot.hasPlane = oneIn(4);
  plot.planeIsRke2 = oneIn(3);
  plot.foreignPool = oneIn(4);
  plot.sharesPool = oneIn(5);
  plot.hasRival = oneIn(4);
  constexpr std::array lost = {Lost::host, Lost::bootstrapSecret, Lost::renderedSecret, Lost::kubeconfig};
  if (oneIn(3)) plot.lost = lost[random->below(lost.size())];
  for (const Pair& pair : also) suit(plot, pair.write);
  suit(plot, wanted.write);
  plot.foreignPool &= plot.hasData;
  plot.sharesPool &= plot.hasData;
  if (!plot.hasData && plot.lost == Lost::renderedSecret) plot.lost = Lost::nothing;
  if (plot.dataTemplate == Arrival::afterReplacement || plot.pool == Arrival::afterReplacement)
    plot.replaced = Replaced::never;  // but then
  const auto strike = [&](const Pair& pair, int latest) {
    plot.faults.push_back(pair);
    plot.atWrite.push_back(1 + static_cast<int>(random->below(static_cast<std::uint64_t>(latest))));
  };
  if (plot.reusesLater && plot.replaced == Replaced::never) plot.reusesLater = false;
  if (isOfLostClaim(wanted.write)) {
    plot.machines = 1;
    plot.hosts = 2;
    plot.hasRival = false;
    plot.lost = Lost::nothing;
    plot.hostsComeLate = false;
    plot.pause = Pause::nobody;
    plot.hostFallsIll = wanted.write.ends_with("link");
    plot.replaced = plot.hostFallsIll ? Replaced::never : Replaced::atFirstFault;
    strike({"machine: PATCH baremetalhosts claim", Fault::silentBefore}, 1);
    strike(wanted, 1);
    return plot;
  }
  const auto meet = [&](const Pair& pair) { strike(pair, isSeldom(pair.write) ? 1 : plot.machines); };
  meet(wanted);
  std::ranges::for_each(also, meet);
  for (auto more = random->below(3); more > 0; --more) strike(everyPair()[random->below(everyPair().size())], 5);
  return plot;
}

const std::vector<std::string>& everyWrite() {
  static const std::vector<std::string> all = {
      "cluster: PATCH metal3clusters finalizer",
      "cluster: PATCH metal3clusters/status",
      "cluster: PATCH metal3clusters let go",
      "machine: PATCH metal3machines finalizer",
      "machine: PATCH metal3machines template",
      "machine: PATCH metal3machines link",
      "machine: PATCH metal3machines providerID",
      "machine: PATCH metal3machines/status",
      "machine: PATCH metal3machines let go",
      "machine: PATCH baremetalhosts",
      "machine: PATCH baremetalhosts claim",
      "machine: PATCH baremetalhosts deploy",
      "machine: PATCH baremetalhosts stop",
      "machine: PATCH baremetalhosts release",
      "machine: PATCH baremetalhosts keep",
      "machine: PATCH baremetalhosts rest",
      "machine: PATCH baremetalhosts wake",
      "machine: PATCH baremetalhosts allow move",
      "machine: PATCH baremetalhosts mark",
      "machine: PATCH baremetalhosts unmark",
      "host_move: PATCH baremetalhosts block move",
      "host_move: PATCH baremetalhosts rest",
      "host_move: PATCH baremetalhosts wake",
      "host_move: PATCH baremetalhosts allow move",
      "machine: PATCH secrets label",
      "machine: PATCH secrets unlabel",
      "machine: POST metal3dataclaims",
      "machine: PATCH metal3dataclaims finalizer",
      "machine: PATCH metal3dataclaims let go",
      "machine: DELETE metal3dataclaims",
      "machine: PATCH nodes",
      "data: PATCH metal3datatemplates finalizer",
      "data: PATCH metal3datatemplates/status",
      "data: PATCH metal3datatemplates let go",
      "data: PATCH metal3dataclaims finalizer",
      "data: PATCH metal3dataclaims/status",
      "data: PATCH metal3dataclaims let go",
      "data: POST metal3datas",
      "data: PATCH metal3datas/status",
      "data: PATCH metal3datas finalizer",
      "data: PATCH metal3datas let go",
      "data: DELETE metal3datas",
      "data: POST ipclaims",
      "data: PATCH ipclaims finalizer",
      "data: PATCH ipclaims let go",
      "data: DELETE ipclaims",
      "data: POST ipaddressclaims",
      "data: PATCH ipaddressclaims let go",
      "data: DELETE ipaddressclaims",
      "data: POST secrets",
      "ipam: PATCH ippools finalizer",
      "ipam: PATCH ippools/status",
      "ipam: PATCH ippools let go",
      "ipam: PATCH ipclaims finalizer",
      "ipam: PATCH ipclaims/status",
      "ipam: PATCH ipclaims let go",
      "ipam: PATCH ipaddressclaims finalizer",
      "ipam: PATCH ipaddressclaims/status",
      "ipam: PATCH ipaddressclaims let go",
      "ipam: POST ipaddresses",
      "ipam: PATCH ipaddresses let go",
      "ipam: DELETE ipaddresses",
      "machine_template: PATCH metal3machines",
      "label_sync: PATCH nodes labels",
      "remediation: PATCH metal3remediations finalizer",
      "remediation: PATCH metal3remediations/status",
      "remediation: PATCH metal3remediations",
      "remediation: PATCH metal3remediations let go",
      "remediation: PATCH baremetalhosts hold off",
      "remediation: PATCH baremetalhosts let on",
      "remediation: PATCH baremetalhosts unhealthy",
      "remediation: PATCH machines/status",
      "remediation: PATCH nodes out of service",
      "remediation: PATCH nodes in service",
      "remediation: PATCH nodes labels",
      "remediation: DELETE nodes",
  };
  return all;
}

// Nobody knows of an address that a dead process has asked for: its successor may give it to somebody else.
bool canBe(const std::string& write, Fault fault) { return write != kNewAddress || fault != Fault::diesLate; }

const std::vector<Pair>& everyPair() {
  static const std::vector<Pair> all = [] {
    std::vector<Pair> pairs;
    for (const auto& write : everyWrite())
      for (const Fault fault : everyFault())
        if (canBe(write, fault)) pairs.push_back({write, fault});
    return pairs;
  }();
  return all;
}

}  // namespace ingot::tests::seeds
