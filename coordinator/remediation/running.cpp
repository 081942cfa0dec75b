// One attempt: off, the Node out of the way, on again (spec/capm3.md §18.2, §18.3, §18.5).
#include "api/capi/pause.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/host_choice.hpp"
#include "coordinator/remediation/node_record.hpp"
#include "coordinator/remediation/power_hold.hpp"
#include "coordinator/remediation/reconciler.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::remediation {

namespace {

constexpr base::Duration kLookAtReading = std::chrono::seconds(5);  // as often as agents read
constexpr base::Duration kLookAtDrain = std::chrono::seconds(5);    // Pods and volumes are not watched
// A host that is off may be the one that served the API of its cluster. No more than half of the attempt's time: the
// host is to come up within it.
constexpr base::Duration kMostBlindness = std::chrono::minutes(2);

std::string withTrouble(std::string text, const BareMetalHost& host) {
  if (!host.status.errorMessage.empty()) text += ": " + host.status.errorMessage;
  return text;
}

// `what`: "On" or "Off".
Waits waitsForPower(std::string_view what, const BareMetalHost& host) {
  const std::string text =
      withTrouble(fmt::format("Host {} is not {} yet", host.metadata.name, what == "On" ? "on" : "off"), host);
  if (host.status.errorMessage.empty()) return Waits::on(fmt::format("WaitingForPower{}", what), text);
  return {fmt::format("Power{}Fails", what), text};
}

// What is being deployed is not cut in its first boot.
void requireSystem(const BareMetalHost& host) {
  const std::string& state = host.status.provisioning.state;
  if (carriesSystem(host)) return;
  throw Waits::on("HostNotRunning", fmt::format("Host {} is {}: it is restarted once it runs its system",
                                                host.metadata.name, state.empty() ? "new" : state));
}

// The server may still do what it was asked, whoever waits for its answer.
bool leavesOpen(const kube::Error& error) {
  using Code = kube::Error::Code;
  constexpr Code open[] = {Code::internal, Code::unavailable, Code::serverTimeout, Code::interrupted, Code::badAnswer};
  return std::ranges::find(open, error.code()) != std::end(open);
}

// A write to a Node; when one of them was given up is `lostAt`.
template <class T>
base::Task<T> heard(base::Task<T> write, std::optional<base::MonoTime>& lostAt, base::Clock& clock) {
  try {
    T answer = co_await std::move(write);
    lostAt.reset();
    co_return answer;
  } catch (const kube::Error& error) {
    if (leavesOpen(error)) lostAt = clock.now();
    throw;
  }
}

void requireUnhealthy(const Machine& machine) {
  if (!isHealthy(machine)) return;
  throw Waits::on("Healthy", fmt::format("Machine {} is healthy: its host is not switched off", machine.metadata.name));
}

}  // namespace

// The time of the attempt begins when there is something to restart.
base::Task<void> RemediationReconciler::start(Way& way) {
  Metal3Remediation& remediation = *way.remediation;
  const Host host = requireHost(way);
  requireSystem(*host);
  co_await confirmNeed(way);
  takeOn(remediation);
  begin(remediation, runtime_.clock.wall());
  countAnew(way);
  way.remediation.journal().event("RemediationStarted", fmt::format("Host {} is to be restarted", host->metadata.name));
  static_cast<void>(co_await way.remediation.save());
}

// The caches are a moment behind, and longer while a watch is broken: a machine that has recovered keeps running.
base::Task<void> RemediationReconciler::confirmNeed(Way& way) {
  const Machine& known = *way.around.machine;
  requireUnhealthy(known);
  const auto remediation = co_await scope_.client.get<Metal3Remediation>(way.remediation.key());
  if (!remediation || remediation->metadata.uid != way.uid() || remediation->metadata.beingDeleted() ||
      remediation->status.phase != way.remediation->status.phase || !isReboot(*remediation))
    throw Waits::shortly("the remediation has changed");
  const auto machine = co_await scope_.client.get<Machine>(known.metadata.key());
  if (!machine || machine->metadata.uid != known.metadata.uid || machine->metadata.beingDeleted())
    throw Waits::shortly("the Machine has changed");
  requireUnhealthy(*machine);
  const auto cluster = way.around.cluster ? co_await scope_.client.get<Cluster>(way.around.cluster->metadata.key())
                                          : std::optional<Cluster>();
  if (api::capi::isPaused(remediation->metadata) || (cluster && cluster->paused()) ||
      !isOurs(remediation->metadata, way.around))
    throw Waits::shortly("it is to rest");
}

base::Task<kube::Next> RemediationReconciler::advance(Way& way) {
  Metal3Remediation& remediation = *way.remediation;
  const Host host = requireHost(way);
  if (remediation.status.phase == phase::running) {
    if (takeOn(remediation)) static_cast<void>(co_await way.remediation.save());
    const bool isHeld = isHeldOff(*host, way.uid());
    if (isHeld && host->status.poweredOn && isHealthy(*way.around.machine)) {  // it has recovered before it was cut
      co_await freeHosts(way);
      requireUnhealthy(*way.around.machine);
    }
    requireOff(way, isHeld ? *host : co_await switchOff(way, host));
    const bool isNews = !std::exchange(way.memory.wasProven, true);
    if (isNews && timeLeftOf(way) == base::Duration{}) {  // the proof took it
      showBegin(remediation, runtime_.clock.wall());
      way.memory.countedSince = runtime_.clock.now();
    }
    co_await fence(way, host->metadata.key());
    remediation.status.phase = phase::waiting;
    static_cast<void>(co_await way.remediation.save());
  }
  co_await switchOn(way, host);
  if (kube::hasFinalizer(remediation.metadata, api::capm3::finalizer::remediation)) {
    co_await restoreNode(way, Absent::waitFor);
    kube::removeFinalizer(remediation.metadata, api::capm3::finalizer::remediation);
    way.remediation.journal().event("HostRestarted", fmt::format("Host {} is on again", host->metadata.name));
  }
  const auto left = timeLeftOf(way);
  co_return left > base::Duration{} ? kube::Next::after(left) : kube::Next::onChange();
}

// --- off ---

base::Task<BareMetalHost> RemediationReconciler::switchOff(Way& way, Host host) {
  requireSystem(*host);
  if (host->spec.disablePowerOff)
    throw Waits("PowerOffDisabled",
                fmt::format("Host {} may not be switched off (spec.disablePowerOff): it is not restarted",
                            host->metadata.name));
  // What cannot be fenced afterwards is left running; a cluster that hides its Nodes only is restarted all the same.
  if (const auto node = nodeOf(way.around); !node && node.error().reason != workload::Unknown::Reason::forbidden)
    throw Waits(node.error(), "The host is not switched off while the Node of the machine is not known");
  co_await confirmNeed(way);
  const kube::ObjectKey key = host->metadata.key();
  way.memory.host = key;
  bool done = false;
  auto now = co_await scope_.hosts.edit(
      key,
      [&](BareMetalHost& fresh) {
        done = fresh.metadata.uid == host->metadata.uid && machine::isConsumer(fresh, *way.around.metal) &&
               fresh.spec.online && carriesSystem(fresh);
        if (done) holdOff(fresh, way.uid());
      },
      true);
  if (!now || !done) throw Waits::shortly("the host has changed");
  way.memory.proof.emplace(*now, runtime_.clock.now());
  co_return *now;
}

void RemediationReconciler::requireOff(Way& way, const BareMetalHost& host) const {
  auto& proof = way.memory.proof;
  const auto now = runtime_.clock.now();
  if (!proof) proof.emplace(host, now);
  const auto reading = scope_.readings ? scope_.readings(host) : std::nullopt;
  switch (proof->observe(host, now, reading)) {
    case Off::proven: return;
    case Off::no: throw waitsForPower("Off", host);
    case Off::unproven: {
      const auto left = proof->left(now);
      const auto again = reading ? kLookAtReading : Waits::kSafetyNet;
      throw Waits::on("WaitingForProofOfOff",
                      withTrouble(fmt::format("Host {} was off when it was last seen: waiting for its power to be read",
                                              host.metadata.name),
                                  host),
                      left > base::Duration{} ? std::min(left, again) : again);
    }
  }
}

base::Task<void> RemediationReconciler::confirmOff(Way& way, kube::ObjectKey host) {
  const auto now = co_await scope_.hosts.look(host);
  if (!now || !isHeldOff(*now, way.uid()) || !machine::isConsumer(*now, *way.around.metal))
    throw Waits::shortly("the host has changed");
  requireOff(way, *now);
}

// --- the Node ---

base::Task<void> RemediationReconciler::fence(Way& way, kube::ObjectKey host) {
  const NodeSeen node = nodeOf(way.around);
  if (!node) {
    auto& since = way.memory.blindSince;
    const auto now = runtime_.clock.now();
    if (!since) since = now;
    const bool isHidden = node.error().reason == workload::Unknown::Reason::forbidden;
    const auto most = isHidden ? base::Duration{} : std::min(kMostBlindness, timeOf(*way.remediation) / 2);
    if (const auto left = most - (now - *since); left > base::Duration{})
      throw Waits(node.error(), "The Node of the machine is not known", left);
    way.remediation.journal().warning(
        "NodeNotFenced",
        fmt::format("The host is switched on again with its Node left as it is, which is not known: {}",
                    node.error().text));
    co_return;
  }
  way.memory.blindSince.reset();
  if (!*node) co_return;
  const bool taints = knowsOutOfService(scope_.nodes.serverVersion(way.around.cluster->metadata.key()));
  if (taints) co_return co_await putOutOfService(way, std::move(host), *node);
  co_await removeNode(way, std::move(host), *node);
}

base::Task<void> RemediationReconciler::putOutOfService(Way& way, kube::ObjectKey host,
                                                        workload::NodeView::Snapshot node) {
  const std::string name = node->metadata.name;
  const auto turn = turnAt(way);
  // On record before it is done: no other process may forget to take it off.
  if (markOutOfService(*way.remediation)) static_cast<void>(co_await way.remediation.save());
  if (!isOutOfService(*node) || !way.memory.isNodeOut) {  // a taint that is known may be the attempt's before
    co_await confirmOff(way, std::move(host));
    co_await taint(way, *node);
    throw Waits::shortly("Pods and volumes of the Node are on their way");
  }
  bool isDrained = false;
  std::string why = "Pods are leaving or volumes are attached";
  try {
    isDrained = co_await scope_.nodes.isDrained(way.around.cluster->metadata.key(), name);
  } catch (const kube::Error& error) {
    why = error.what();
  }
  if (!isDrained)
    throw Waits::on("WaitingForDrain", fmt::format("Waiting until Node {} holds nothing any more: {}", name, why),
                    kLookAtDrain);
}

base::Task<void> RemediationReconciler::taint(Way& way, const kube::Node& node) {
  Memory& memory = way.memory;
  const std::string name = node.metadata.name;
  const bool isNews = !isOutOfService(node);
  auto write =
      scope_.nodes.patchNode(way.around.cluster->metadata.key(), name, outOfServicePatch(node, runtime_.clock.wall()));
  try {
    static_cast<void>(co_await heard(std::move(write), memory.writeLostAt, runtime_.clock));
  } catch (const kube::Error& error) {
    if (const auto waits = behind(way, error)) throw Waits(*waits);
    throw;
  }
  memory.nodeBehindSince.reset();
  memory.isNodeOut = true;
  if (isNews)
    way.remediation.journal().event("NodeOutOfService",
                                    fmt::format("The host is off: Node {} is out of service", name));
}

// At the workload cluster, as long as what it returns lasts.
workload::ClusterTurns::Turn RemediationReconciler::turnAt(Way& way) {
  auto turn = scope_.turns.take(way.around.cluster->metadata.key(), way.remediation.key());
  if (!turn) throw Waits::shortly("others are asking this workload cluster");
  return std::move(*turn);
}

// What the Node has is on record before it is deleted, also by somebody else. That it is gone is told by the watch.
base::Task<void> RemediationReconciler::removeNode(Way& way, kube::ObjectKey host, workload::NodeView::Snapshot node) {
  const std::string name = node->metadata.name;
  tellOfCut(way, name, keepRecord(*way.remediation, *node));
  static_cast<void>(co_await way.remediation.save());
  if (!node->metadata.beingDeleted()) {
    const auto turn = turnAt(way);
    co_await confirmOff(way, std::move(host));
    auto deletion = scope_.nodes.deleteNode(way.around.cluster->metadata.key(), name, node->metadata.uid);
    if (co_await heard(std::move(deletion), way.memory.writeLostAt, runtime_.clock))
      way.remediation.journal().event("NodeDeleted", fmt::format("The host is off: Node {} is deleted", name));
  }
  throw Waits::on("WaitingForNodeDeletion", fmt::format("Waiting for Node {} to be gone", name));
}

void RemediationReconciler::tellOfCut(Way& way, const std::string& node, std::size_t leftOut) {
  const Waits::Told cut{"NodeRecordCut", 0};
  if (leftOut == 0 || way.memory.told.contains(cut)) return;
  auto& journal = way.remediation.journal();
  journal.warning(cut.first, fmt::format("{} labels and annotations of Node {} are too large to be kept: it comes back "
                                         "without them, unless who has written them does so again",
                                         leftOut, node));
  journal.onceSaved([&told = way.memory.told, cut] { told.insert(cut); });
}

// --- on ---

base::Task<void> RemediationReconciler::switchOn(Way& way, Host host) {
  way.memory.proof.reset();
  way.memory.blindSince.reset();
  if (!scope_.heldOff.find(way.uid()).empty()) {  // one that was the machine's before, too
    co_await freeHosts(way);
    throw Waits::shortly("the host is told to go on");
  }
  if (isOn(*host)) co_return;
  throw waitsForPower("On", *host);
}

}  // namespace ingot::coordinator::remediation
