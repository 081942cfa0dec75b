// How a machine takes a host, and how it gives up one that it did not get (spec/capm3.md §9, §10.1).
#include "api/capm3/machine_words.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/explanation.hpp"
#include "coordinator/machine/reconciler.hpp"
#include "coordinator/machine/rendered_data.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

#include <set>

namespace ingot::coordinator::machine {

namespace {

constexpr int kMostTries = 5;              // at hosts that others get first; then the machine queues up again
constexpr std::size_t kMostRefused = 200;  // hosts that have refused a machine's claims, before it begins anew

HostSelector selectorOf(const Metal3Machine& machine) {
  return machine.spec.hostSelector ? HostSelector(*machine.spec.hostSelector) : HostSelector();
}

bool fits(const BareMetalHost& host, const HostWish& wish) {
  const BareMetalHost* one = &host;
  return chooseHost({&one, 1}, wish).host == one;
}

// The host lost its consumer only: it still runs what this machine told it (docs/decisions/0050).
bool runsOn(const BareMetalHost& host, const Metal3Machine& machine,
            const std::optional<api::SecretReference>& userData) {
  const bool runs = !host.spec.consumerRef && (host.spec.image || host.spec.customDeploy);
  return runs && hasUserData(host, userData) && wasToldBy(host, machine);
}

// Hosts that a pass has tried in vain: nobody else gets them before it ends. Then who began to wait meanwhile is woken.
class Tried {
 public:
  Tried(kube::ObjectKey machine, const MachineWorld& world) : machine_(std::move(machine)), world_(world) {}
  ~Tried() {
    for (const auto& [host, before] : hosts_) setFree(host, before);
  }
  Tried(const Tried&) = delete;
  Tried& operator=(const Tried&) = delete;

  void add(const kube::ObjectKey& host) {
    world_.pool.reserve(host);
    hosts_.emplace(host, world_.waiting.looks());
  }
  void keep(const kube::ObjectKey& host) { hosts_.erase(host); }
  [[nodiscard]] bool contains(const kube::ObjectKey& host) const { return hosts_.contains(host); }

 private:
  void setFree(const kube::ObjectKey& key, std::uint64_t before) {
    world_.pool.setFree(key);
    const BareMetalHost* host = world_.pool.candidate(key);
    if (host == nullptr || !isForTheTaking(*host)) return;
    if (const auto next = world_.waiting.takeFreed(*host, machine_, before)) world_.wake(*next);
  }

  kube::ObjectKey machine_;
  const MachineWorld& world_;
  std::map<kube::ObjectKey, std::uint64_t> hosts_;  // after how many looks in vain
};

}  // namespace

// A machine that comes away with no host names none, if that is sure: a claim that somebody forestalled was bound to a
// version of the host that is gone. A refusal is not sure, as the same claim may have been sent before, without an
// answer.
base::Task<MachineReconciler::HostKey> MachineReconciler::claimOne(Way& way) {
  auto& metadata = way.machine->metadata;
  const std::string key(api::capm3::annotation::host);
  const std::string* shown = metadata.annotation(key);
  const auto link = shown == nullptr ? std::nullopt : std::optional(*shown);
  const bool wasHeld = kube::hasFinalizer(metadata, api::capm3::finalizer::machine);
  Refusal refusal;
  try {
    co_return co_await tryHosts(way, refusal);
  } catch (const MachineError&) {
    if (!refusal.host.empty()) throw;
    if (link)
      metadata.annotations[key] = *link;
    else
      metadata.annotations.erase(key);
    if (!wasHeld) kube::removeFinalizer(metadata, api::capm3::finalizer::machine);
    throw;
  }
}

// A machine that had a host, or asked for data, takes no other one in its place: moveOn() comes before.
base::Task<MachineReconciler::HostKey> MachineReconciler::tryHosts(Way& way, Refusal& refusal) {
  Metal3Machine& machine = *way.machine;
  const Machine& owner = *way.around.owner;
  const auto userData = userDataOf(machine, owner);  // shown once the host is claimed
  const bool isBound = wasAssociated(machine) || (linkedHost(machine) && hasAskedForData(machine));
  const HostSelector selector = selectorOf(machine);
  const auto set = co_await setOf(owner);
  const HostWish wish{machine, selector, nodeReuseName(owner, set.get()), refusedTo(way.machine.key()).round};
  const auto mayHave = [&](const BareMetalHost& host) {
    return runsOn(host, machine, userData) || (machine.spec.providerID.empty() && fits(host, wish));
  };
  Tried tried(way.machine.key(), scope_);
  for (int tries = 0; tries < (isBound ? 1 : kMostTries); ++tries) {
    const auto named = hostOf(machine);
    const bool mayTry = named && !tried.contains(*named) && !scope_.hosts.isUnreadable(*named);
    const auto seen = mayTry ? scope_.hosts.find(*named) : nullptr;
    const bool isItsOnly = isBound || (seen && hasUserData(*seen, userData));
    if (isBound && !seen) throw MachineError(Problem::hostTaken, "its host is gone, or cannot be read");
    if (seen && isItsOnly && !mayHave(*seen)) throw takenAway(*seen, userData);
    const bool again = seen && (isItsOnly || (mayHave(*seen) && !refusedTo(way.machine.key()).hosts.contains(*named)));
    const Chosen chosen = again ? Chosen{.host = *named} : choose(way, wish, refusal);
    const HostKey& key = chosen.host;
    tried.add(key);
    if (named && *named != key) co_await leaveLinked(way, *named);
    co_await link(way, key);
    const auto host = scope_.hosts.find(key);
    auto claim = HostWork::Claim::taken;
    std::string refused;
    try {
      if (host)
        claim = co_await scope_.hosts.claim(
            host, machine, owner, [&](const BareMetalHost& now) { return isConsumer(now, machine) || mayHave(now); });
    } catch (const kube::Error& error) {  // by a webhook, say, that does not mind other hosts
      if (!isLasting(error)) {            // it may have been carried out, or be so late
        unsureClaims_[way.machine.key()].insert(key);
        throw;
      }
      refused = error.what();
      refusal = noteRefusal(way.machine.key(), key, refused);
    }
    if (claim == HostWork::Claim::done) {
      tried.keep(key);
      forgetUnsure(way.machine.key(), key);
      refused_.erase(way.machine.key());
      if (!chosen.why.empty())
        whyChosen_.insert_or_assign(way.machine.key(), WhyChosen{machine.metadata.uid, chosen.why});
      showHost(way, chosen.forReuse);
      way.isNews = chosen.forReuse;
      co_return key;
    }
    runtime_.log.info("a host was taken by somebody else, or has changed, or its claim was refused",
                      {{"machine", machine.metadata.key().text()}, {"host", key.text()}, {"refusal", refused}});
  }
  if (!refusal.host.empty()) throw refusal.error();
  scope_.waiting.forHost(way.machine.key(), wish.selector, wish.nodeReuse);
  throw MachineError(Problem::waiting, "the hosts that were chosen have changed meanwhile");
}

// A process that is gone may have claimed the host that the machine links to, and labelled its Secret.
base::Task<void> MachineReconciler::leaveLinked(const Way& way, HostKey linked) {
  const std::string& cluster = way.around.owner->spec.clusterName;
  const auto seen = scope_.hosts.find(linked);
  if (!seen || !scope_.hosts.isSecretLabelled(*seen, cluster)) co_return;
  if (auto now = co_await scope_.hosts.look(linked)) co_await unlabelLost(std::move(*now), *way.machine, cluster);
}

MachineError MachineReconciler::Refusal::error() const {
  return {Problem::refused, fmt::format("the claim of host {} was refused: {}", host, why)};
}

const MachineReconciler::Refused& MachineReconciler::refusedTo(const HostKey& machine) const {
  static const Refused nothing;
  const auto found = refused_.find(machine);
  return found == refused_.end() ? nothing : found->second;
}

// Past the most that are remembered the search begins at another place: those behind them have their turn.
MachineReconciler::Refusal MachineReconciler::noteRefusal(const HostKey& machine, const HostKey& host,
                                                          const std::string& why) {
  Refused& all = refused_[machine];
  if (all.hosts.size() >= kMostRefused) {
    all.hosts.clear();
    ++all.round;
  }
  all.hosts.insert(host);
  if (all.shown.host.empty() || host.name <= all.shown.host) all.shown = {.host = host.name, .why = why};
  return all.shown;
}

// The host was written since: a claim that bears an earlier version of it comes too late.
void MachineReconciler::forgetUnsure(const HostKey& machine, const HostKey& host) {
  const auto unsure = unsureClaims_.find(machine);
  if (unsure == unsureClaims_.end()) return;
  unsure->second.erase(host);
  if (unsure->second.empty()) unsureClaims_.erase(unsure);
}

MachineReconciler::Chosen MachineReconciler::choose(Way& way, const HostWish& wish, const Refusal& refusal) {
  const std::string& space = wish.machine.metadata.namespace_;
  const std::set<HostKey>& passedOver = refusedTo(way.machine.key()).hosts;
  HostChoice choice = scope_.pool.choose(wish, passedOver);
  if (choice.host == nullptr && !passedOver.empty()) {
    refused_.at(way.machine.key()).hosts.clear();
    choice = scope_.pool.choose(wish);
  }
  if (choice.host != nullptr) {
    const std::size_t count = scope_.pool.candidateCount(space), inUse = scope_.pool.inUse(space);
    return {.host = choice.host->metadata.key(),
            .forReuse = choice.forReuse,
            .why = count > kFew ? whyThisHost(count, inUse, wish, choice)
                                : whyThisHost(scope_.pool.candidates(space), inUse, wish, choice)};
  }
  const auto awaited = choice.awaited ? std::optional(choice.awaited->metadata.key()) : std::nullopt;
  scope_.waiting.forHost(way.machine.key(), wish.selector, wish.nodeReuse, awaited);
  if (!refusal.host.empty()) throw refusal.error();
  if (choice.awaited != nullptr)
    throw MachineError(Problem::waiting,
                       fmt::format("host {} is kept for {} and not available yet ({})", choice.awaited->metadata.name,
                                   wish.nodeReuse, choice.awaited->status.provisioning.state));
  throw MachineError(Problem::noHost, whyNone(way, wish));
}

// In full where it will be told.
std::string MachineReconciler::whyNone(const Way& way, const HostWish& wish) {
  const std::string& space = wish.machine.metadata.namespace_;
  const auto text = [](std::string_view why) { return fmt::format("{} ({})", api::capm3::message::noHostFound, why); };
  const bool isAnyThere =
      scope_.pool.candidateCount(space) + scope_.pool.inUse(space) > 0 || scope_.pool.unreadable(space) > 0;
  std::string outline = text(isAnyThere ? "" : api::capm3::message::noHostThere);
  if (!way.report.tellsAnew(*way.at, outline)) return outline;
  return text(toldRefusals_.whyNoHost(wish));
}

bool MachineReconciler::hasAskedForData(const Metal3Machine& machine) const {
  const auto key = machine.metadata.key();
  if (!machine.spec.dataTemplate) return false;
  if (scope_.claims.isUnreadable(key) || !scope_.claims.hasSeenOwnWrites(key)) return true;
  const auto claim = scope_.claims.find(key);
  return claim && !isOfEarlierMachine(claim->metadata, machine);
}

// What was rendered for one host is wrong on another and is never rendered anew; and a machine that has told a host
// what to run may be running on it: addresses are shown from then on.
bool MachineReconciler::mayMove(const Metal3Machine& machine) const {
  return machine.spec.providerID.empty() && !machine.status.initialization.provisioned.value_or(false) &&
         !machine.status.renderedData && machine.status.addresses.empty();
}

// Data that were asked for while the machine had the other host go first. The next pass chooses another one.
base::Task<kube::Next> MachineReconciler::moveOn(Way& way, MachineError taken) {
  Metal3Machine& machine = *way.machine;
  way.at = &step::associate;
  way.report.notPaused();
  way.report.failed(step::associate, taken.what());
  if (!co_await dissociate(machine)) {
    way.report.failed(step::associate, fmt::format("{}; its data claim is given back first", taken.what()));
    co_return kube::Next::after(std::chrono::seconds(1));
  }
  if (const auto host = hostOf(machine)) labelled_.over(*host);
  machine.metadata.annotations.erase(std::string(api::capm3::annotation::host));
  const auto key = machine.metadata.key();
  const bool holdsNone = scope_.pool.hostsOf(key).empty() && !unsureClaims_.contains(key);
  if (holdsNone) kube::removeFinalizer(machine.metadata, api::capm3::finalizer::machine);
  machine.status.userData.reset();
  way.machine.journal().warning("HostTaken", taken.what());
  co_return kube::Next::after(std::chrono::seconds(1));
}

}  // namespace ingot::coordinator::machine
