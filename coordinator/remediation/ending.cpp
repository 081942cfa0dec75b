// How attempts end, and what is left over is taken away (spec/capm3.md §18.3, §18.4).
#include "api/capm3/host_link.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/caches/lost_answer.hpp"
#include "coordinator/machine/host_choice.hpp"
#include "coordinator/remediation/hand_over.hpp"
#include "coordinator/remediation/node_record.hpp"
#include "coordinator/remediation/power_hold.hpp"
#include "coordinator/remediation/reconciler.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::remediation {

namespace {

constexpr base::Duration kMostWaitForNode = std::chrono::minutes(10);  // of a deletion, by a process that tries
constexpr base::Duration kUsualLag = std::chrono::seconds(10);         // of a watch
constexpr base::Duration kLookAtLag = std::chrono::seconds(5);

}  // namespace

base::Task<kube::Next> RemediationReconciler::tryAgain(Way& way) {
  Metal3Remediation& remediation = *way.remediation;
  takeOn(remediation);
  beginAgain(remediation, runtime_.clock.wall());
  countAnew(way);
  way.memory.wasProven = way.memory.isNodeOut = false;
  way.remediation.journal().warning("RemediationRetried",
                                    fmt::format("The machine is not healthy in time: retry {} of {}",
                                                remediation.status.retryCount, remediation.spec.strategy->retryLimit));
  way.remediation.journal().onceSaved([&told = way.memory.told] { told.clear(); });
  co_return kube::Next::now();
}

// The host is marked before the machine is asked to go: nobody gets it in between. So it is asked first whether the
// machine has recovered.
base::Task<kube::Next> RemediationReconciler::handOver(Way& way) {
  co_await confirmNeed(way);
  const auto host = findHost(way.around);
  if (!host && host.error().reason() == Waits::kUnreadable) throw host.error();  // it would never be marked
  if (host) {
    if (!isMarkedUnhealthy(**host)) {  // on record before it is done: an operator's own mark stays in any case
      recordMark(*way.remediation, **host);
      takeOn(*way.remediation);
      static_cast<void>(co_await way.remediation.save());
    }
    co_await edit((*host)->metadata.key(), [&](BareMetalHost& fresh) {
      letOn(fresh, way.uid());
      if (machine::isConsumer(fresh, *way.around.metal)) markUnhealthy(fresh);
    });
  }
  kube::Draft<Machine> machine(way.around.machine);
  askForReplacement(*machine, runtime_.clock.wall());
  static_cast<void>(co_await kube::save(scope_.client, machine, &scope_.machines));
  co_return co_await endHandOver(way);
}

base::Task<kube::Next> RemediationReconciler::endHandOver(Way& way) {
  way.remediation->status.phase = phase::deletingMachine;
  way.remediation.journal().warning("RemediationFailed",
                                    fmt::format("The machine is not healthy after {} attempts: the controller that "
                                                "owns it is asked to replace it",
                                                way.remediation->status.retryCount + 1));
  static_cast<void>(co_await way.remediation.save());
  co_return co_await clear(way, Absent::waitFor);
}

base::Task<kube::Next> RemediationReconciler::fail(Way& way, Host host) {
  way.remediation->status.phase = phase::failed;
  way.remediation.journal().warning(
      "RemediationFailed", fmt::format("Host {} is switched off by hand (spec.online: false)", host->metadata.name));
  static_cast<void>(co_await way.remediation.save());
  co_return co_await clear(way, Absent::waitFor);
}

// Nothing says how to go on with the attempt that may be under way.
base::Task<kube::Next> RemediationReconciler::stop(Way& way) {
  static_cast<void>(co_await clear(way, Absent::waitFor));
  throw Waits("NoStrategy", "spec.strategy.type is not Reboot: nothing is done");
}

base::Task<kube::Next> RemediationReconciler::clear(Way& way, Absent absent) {
  kube::ObjectMeta& metadata = way.remediation->metadata;
  if (!kube::hasFinalizer(metadata, api::capm3::finalizer::remediation)) co_return kube::Next::onChange();
  co_await freeHosts(way);
  static_cast<void>(co_await settleHandOver(way));
  if (!way.around.nodeGoes()) co_await restoreNode(way, absent);
  kube::removeFinalizer(metadata, api::capm3::finalizer::remediation);
  co_return kube::Next::onChange();
}

// Every host that carries the annotation, and those that may carry it without the cache having seen it: nobody else
// takes it off, and the host would never be on again.
base::Task<void> RemediationReconciler::freeHosts(Way& way) {
  way.memory.proof.reset();
  std::set<kube::ObjectKey> keys;
  for (auto& key : scope_.heldOff.copy(way.uid())) keys.insert(std::move(key));
  if (way.memory.host) keys.insert(*way.memory.host);
  if (way.around.metal)
    if (auto linked = api::capm3::linkedHostOf(way.around.metal->metadata)) keys.insert(std::move(*linked));
  for (const auto& key : keys) co_await edit(key, [&](BareMetalHost& fresh) { letOn(fresh, way.uid()); });
  way.memory.host.reset();
}

base::Task<bool> RemediationReconciler::settleHandOver(Way& way) {
  const auto host = recordedMark(*way.remediation);
  if (!host) co_return false;
  const bool isDone = co_await isHandedOver(way);
  const auto metal = way.around.metal;
  if (!isDone && metal)
    co_await edit(*host, [&metal](BareMetalHost& fresh) {
      if (machine::isConsumer(fresh, *metal)) unmark(fresh);
    });
  dropMark(*way.remediation);
  co_return isDone;
}

// The cache may not have seen yet that it was asked.
base::Task<bool> RemediationReconciler::isHandedOver(Way& way) {
  if (way.remediation->status.phase == phase::deletingMachine || way.around.nodeGoes()) co_return true;
  const kube::ObjectMeta& known = way.around.machine->metadata;
  const auto machine = co_await scope_.client.get<Machine>(known.key());
  if (!machine || machine->metadata.uid != known.uid || machine->metadata.beingDeleted()) co_return true;
  co_return isAskedToGo(*machine) && !isHealthy(*machine);
}

base::Task<void> RemediationReconciler::edit(kube::ObjectKey host, machine::HostWork::Edit how) {
  if (scope_.hosts.isUnreadable(host)) throw Waits::unreadable("BareMetalHost", host);
  static_cast<void>(co_await scope_.hosts.edit(std::move(host), std::move(how), true));
}

base::Task<void> RemediationReconciler::restoreNode(Way& way, Absent absent) {
  Metal3Remediation& remediation = *way.remediation;
  const std::string name = way.around.machine->status.nodeRef.name;
  const NodeSeen node = nodeOf(way.around);
  if (!node) {
    // A cluster that hides its Nodes had none of them changed.
    const bool isHidden = node.error().reason == workload::Unknown::Reason::forbidden;
    if (!isHidden || owesNode(remediation))
      awaitNode(way, absent,
                Waits(node.error(), fmt::format("Node {} is not known, which may have to get something back", name)));
    co_return;
  }
  if (!*node || (*node)->metadata.beingDeleted()) {
    if (hasRecord(remediation))
      awaitNode(
          way, absent,
          Waits::on("WaitingForNode", fmt::format("Waiting for Node {} to come back, to get its labels back", name)));
    co_return;
  }
  const auto patch = restoringPatch(**node, remediation, way.around.machine->spec.providerID);
  if (!patch) co_return dropRecord(remediation);
  std::optional<Waits> refused;
  try {
    const auto turn = turnAt(way);
    static_cast<void>(co_await scope_.nodes.patchNode(way.around.cluster->metadata.key(), name, *patch));
  } catch (const kube::Error& error) {
    refused = behind(way, error);
    if (!refused)
      refused = Waits("NodeRefused", fmt::format("Node {} cannot get back what it had: {}", name, error.what()));
  }
  if (refused) co_return awaitNode(way, absent, *refused);
  way.memory.nodeBehindSince.reset();
  awaitLostWrite(way);
  dropRecord(remediation);
  way.remediation.journal().event("NodeRestored", fmt::format("Node {} is as it was", name));
}

// What is known of a Node may be behind as long as a watch that is broken is believed, which is minutes.
std::optional<Waits> RemediationReconciler::behind(Way& way, const kube::Error& error) {
  using Code = kube::Error::Code;
  if (error.code() != Code::notFound && error.code() != Code::conflict) return std::nullopt;
  auto& since = way.memory.nodeBehindSince;
  const auto now = runtime_.clock.now();
  if (!since) since = now;
  if (now - *since < kUsualLag) return Waits::shortly("the Node has just changed");
  return Waits::on("WaitingForNodeWatch",
                   fmt::format("Node {} was changed: waiting until the watch of the Nodes tells how",
                               way.around.machine->status.nodeRef.name),
                   kLookAtLag);
}

// What was given up would be done to a Node that nobody looks after any more.
void RemediationReconciler::awaitLostWrite(const Way& way) const {
  if (!way.memory.writeLostAt) return;
  const auto left = *way.memory.writeLostAt + kLostAnswer - runtime_.clock.now();
  if (left > base::Duration{})
    throw Waits::on("WaitingForLostWrite",
                    fmt::format("A write to Node {} whose answer was lost may still be carried out",
                                way.around.machine->status.nodeRef.name),
                    left);
}

// Returns when it is waited for no more.
void RemediationReconciler::awaitNode(Way& way, Absent absent, const Waits& waits) {
  if (absent == Absent::waitFor) throw Waits(waits);
  auto& since = way.memory.nodeAwaitedSince;
  const auto now = runtime_.clock.now();
  if (!since) since = now;
  const auto left = kMostWaitForNode - (now - *since);
  if (left > base::Duration{}) throw waits.butWithin(left);
  way.remediation.journal().warning("NodeNotRestored",
                                    fmt::format("Node {} was waited for in vain: what it had to get back is lost",
                                                way.around.machine->status.nodeRef.name));
}

}  // namespace ingot::coordinator::remediation
