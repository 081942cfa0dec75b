#include "cli/run/pictures.hpp"

#include "api/capi_ipam/ip_address.hpp"
#include "api/capm3/host_link.hpp"
#include "api/capm3/names.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "base/nearest.hpp"
#include "cli/run/find.hpp"
#include "kube/client/discovery.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

using namespace api::capm3::v1beta2;
using api::capi::Cluster;
using api::capi::Machine;

template <class T>
std::vector<std::string> namesOf(const std::vector<T>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const T& each : all) names.push_back(each.metadata.name);
  return names;
}

template <class T>
class ByName {
 public:
  explicit ByName(std::vector<T> all) {
    for (T& each : all) {
      std::string name = each.metadata.name;
      all_.insert_or_assign(std::move(name), std::move(each));
    }
  }
  [[nodiscard]] std::optional<T> find(const std::string& name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, T> all_;
};

std::string dataNameOf(const std::optional<Metal3DataClaim>& claim) {
  return claim && claim->status.renderedData ? claim->status.renderedData->name : "";
}

// The owner of a claim that data have made; "" for one of somebody else.
std::string dataOf(const kube::ObjectMeta& claim) {
  const auto owner = std::ranges::find_if(claim.ownerReferences, [](const kube::OwnerReference& each) {
    return each.kind == Metal3Data::info.kind && each.apiVersion.starts_with(Metal3Data::info.group);
  });
  return owner == claim.ownerReferences.end() ? "" : owner->name;
}

using Addresses = std::map<std::string, std::vector<std::string>>;

void add(Addresses& into, const kube::ObjectMeta& claim, const std::string& address, const std::string& pool) {
  if (const std::string data = dataOf(claim); !data.empty())
    into[data].push_back(fmt::format("{} (pool {})", address, pool));
}

base::Task<Addresses> addressesByData(Reader& reader, kube::ListQuery all) {
  Addresses found;
  const ByName<api::ipam::IPAddress> ours(co_await reader.list<api::ipam::IPAddress>(all));
  for (const auto& claim : co_await reader.list<api::ipam::IPClaim>(all)) {
    const auto address = claim.status.address ? ours.find(claim.status.address->name) : std::nullopt;
    if (address) add(found, claim.metadata, address->spec.address, claim.spec.pool.name);
  }
  const ByName<api::capi_ipam::IPAddress> shared(co_await reader.list<api::capi_ipam::IPAddress>(all));
  for (const auto& claim : co_await reader.list<api::capi_ipam::IPAddressClaim>(all)) {
    const auto address = shared.find(claim.status.addressRef.name);
    if (address) add(found, claim.metadata, address->spec.address, claim.spec.poolRef.name);
  }
  co_return found;
}

// Its message, or reason, where that condition has not the status; "" where it is not there.
std::string messageOf(const json::Value& object, std::string_view type, std::string_view wellStatus) {
  const auto* conditions = json::arrayAt(object, {"status", "conditions"});
  if (conditions == nullptr) return "";
  for (const auto& each : *conditions) {
    if (json::textAt(each, {"type"}) != type || json::textAt(each, {"status"}) == wellStatus) continue;
    const std::string message = json::textAt(each, {"message"});
    return message.empty() ? json::textAt(each, {"reason"}) : message;
  }
  return "";
}

MachineOwner ownerFrom(const std::string& kind, const json::Value& object) {
  const auto replicas = json::intAt(object, {"spec", "replicas"});
  std::string trouble = messageOf(object, "Available", "True");
  if (trouble.empty()) trouble = messageOf(object, "ScalingUp", "False");
  return {.kind = kind,
          .name = json::textAt(object, {"metadata", "name"}),
          .trouble = std::move(trouble),
          .replicas =
              replicas ? std::optional(static_cast<std::size_t>(std::max<std::int64_t>(0, *replicas))) : std::nullopt};
}

using Served = std::vector<kube::ServedKind>;

base::Task<Served> servedKinds(Session& session) {
  try {
    co_return (co_await kube::Discovery::load(session.client.api())).all();
  } catch (const kube::Error& error) {
    const Failure failure = explain(error, session.server);
    if (failure.code() == ExitCode::unreachable) throw;
    session.terminal.note(fmt::format("left out: {}", failure.what()));
  }
  co_return Served();
}

const kube::Resource* resourceOf(const Served& served, std::string_view group, std::string_view kind) {
  const auto found = std::ranges::find_if(
      served, [&](const kube::ServedKind& each) { return each.resource.group == group && each.resource.kind == kind; });
  return found == served.end() ? nullptr : &found->resource;
}

// The control plane, then the deployments: each has a place in the tree before it has a machine.
base::Task<std::vector<MachineOwner>> ownersOf(Session& session, Reader& reader, Cluster cluster) {
  std::vector<MachineOwner> owners;
  const auto served = co_await servedKinds(session);
  const auto& wanted = cluster.spec.controlPlaneRef;
  if (!wanted.name.empty()) {
    std::optional<json::Value> object;
    if (const auto* resource = resourceOf(served, wanted.apiGroup, wanted.kind))
      object = co_await reader.findRaw(*resource, {session.namespace_, wanted.name});
    const std::string missing = reader.unread().contains(wanted.kind) ? "it cannot be read" : "it is not there";
    owners.push_back(object ? ownerFrom(wanted.kind, *object)
                            : MachineOwner{.kind = wanted.kind, .name = wanted.name, .trouble = missing});
  }
  if (const auto* resource = resourceOf(served, Machine::info.group, "MachineDeployment")) {
    const std::string selector = fmt::format("{}={}", api::capm3::label::clusterName, cluster.metadata.name);
    for (const auto& each :
         co_await reader.listRaw(*resource, {.namespace_ = session.namespace_, .labelSelector = selector}))
      owners.push_back(ownerFrom("MachineDeployment", each));
  }
  co_return owners;
}

// What names of one namespace lead to.
struct Objects {
  ByName<Metal3DataClaim> claims;
  ByName<Metal3Data> data;
  ByName<Metal3Remediation> remediations;
  ByName<api::BareMetalHost> hosts;
};

base::Task<Objects> objectsIn(Reader& reader, kube::ListQuery all) {
  ByName<Metal3DataClaim> claims(co_await reader.list<Metal3DataClaim>(all));
  ByName<Metal3Data> data(co_await reader.list<Metal3Data>(all));
  ByName<Metal3Remediation> remediations(co_await reader.list<Metal3Remediation>(all));
  ByName<api::BareMetalHost> hosts(co_await reader.list<api::BareMetalHost>(all));
  co_return Objects{std::move(claims), std::move(data), std::move(remediations), std::move(hosts)};
}

MachinePicture pictureFrom(Metal3Machine machine, std::optional<Machine> owner, const Objects& objects) {
  const auto link = api::capm3::linkedHostOf(machine.metadata);
  const auto claim = objects.claims.find(machine.metadata.name);
  MachinePicture picture{.machine = {},
                         .owner = std::move(owner),
                         .claim = claim,
                         .data = objects.data.find(dataNameOf(claim)),
                         .host = link ? objects.hosts.find(link->name) : std::nullopt,
                         .remediation = objects.remediations.find(ownerMachineOf(machine.metadata))};
  picture.machine = std::move(machine);
  return picture;
}

base::Task<void> addMachines(Session& session, Reader& reader, ClusterPicture& cluster) {
  const kube::ListQuery all{.namespace_ = session.namespace_};
  kube::ListQuery own = all;
  own.labelSelector = fmt::format("{}={}", api::capm3::label::clusterName, cluster.cluster.metadata.name);
  auto machines = co_await reader.list<Metal3Machine>(own);
  auto owners = co_await reader.list<Machine>(own);
  const Objects objects = co_await objectsIn(reader, all);
  std::set<std::string> seen;
  for (auto& machine : machines) {
    const std::string owner = ownerMachineOf(machine.metadata);
    const auto found = std::ranges::find(owners, owner, [](const Machine& each) { return each.metadata.name; });
    seen.insert(owner);
    cluster.machines.push_back(
        pictureFrom(std::move(machine), found == owners.end() ? std::nullopt : std::optional(*found), objects));
  }
  for (auto& owner : owners)
    if (!seen.contains(owner.metadata.name)) cluster.bare.push_back(std::move(owner));
  for (auto& picture : cluster.machines) picture.unread = reader.unread();
}

// `tree cluster` takes the name of the Cluster; that of its Metal3Cluster, which `get clusters` lists, is another one
// where the Cluster has a class.
base::Task<Failure> noCluster(Session& session, Reader& reader, std::string name) {
  const std::string line = fmt::format("there is no cluster {} in namespace {}", name, session.namespace_);
  const auto metal = co_await reader.find<Metal3Cluster>({session.namespace_, name});
  if (const std::string cluster = metal ? clusterNameOf(metal->metadata) : ""; !cluster.empty())
    co_return Failure(
        ExitCode::notFound,
        fmt::format("{}: that is the Metal3Cluster of {}; use ingotctl tree cluster {}", line, cluster, cluster));
  const auto there = namesOf(co_await reader.list<Cluster>({.namespace_ = session.namespace_}));
  if (const auto near = base::nearest(name, there); !near.empty())
    co_return Failure(ExitCode::notFound, fmt::format("{}; did you mean {}?", line, near));
  co_return Failure(ExitCode::notFound, line + (there.empty() ? ", nor any other cluster; use -n NAMESPACE"
                                                              : "; see column CLUSTER of ingotctl get clusters -A"));
}

// A machine is named by its Metal3Machine. Its Machine, which kubectl get machines lists, may have another name.
base::Task<Failure> noMachine(Session& session, Reader& reader, std::string name) {
  const SubjectInfo& subject = infoOf(Subject::machines);
  if (const auto owner = co_await reader.find<Machine>({session.namespace_, name})) {
    const auto& wanted = owner->spec.infrastructureRef;
    if (wanted.kind == Metal3Machine::info.kind && wanted.name != name)
      co_return Failure(ExitCode::notFound,
                        fmt::format("there is no {} {} in namespace {}: that is a Machine, and its Metal3Machine is {}",
                                    subject.singular, name, session.namespace_, wanted.name));
  }
  co_return notThere(session, subject, name,
                     namesOf(co_await reader.list<Metal3Machine>({.namespace_ = session.namespace_})));
}

}  // namespace

base::Task<MachinePicture> pictureOfMachine(Session& session, std::string name) {
  const auto key = [&session](const std::string& of) { return kube::ObjectKey{session.namespace_, of}; };
  Reader reader(session);
  auto machine = co_await readNamed<Metal3Machine>(session, key(name), "machine");
  if (!machine) {
    const Failure missing = co_await noMachine(session, reader, name);
    throw missing;
  }
  MachinePicture picture{.machine = std::move(*machine)};
  if (const std::string owner = ownerMachineOf(picture.machine.metadata); !owner.empty()) {
    picture.owner = co_await reader.find<Machine>(key(owner));
    picture.remediation = co_await reader.find<Metal3Remediation>(key(owner));
  }
  if (picture.remediation)
    picture.remediationEvents = (co_await eventsOf(reader, "Metal3Remediation", picture.remediation->metadata))
                                    .value_or(std::vector<kube::Event>());
  picture.claim = co_await reader.find<Metal3DataClaim>(key(name));
  if (const std::string data = dataNameOf(picture.claim); !data.empty())
    picture.data = co_await reader.find<Metal3Data>(key(data));
  if (const auto link = api::capm3::linkedHostOf(picture.machine.metadata))
    picture.host = co_await reader.find<api::BareMetalHost>(*link);
  picture.unread = reader.unread();
  co_return picture;
}

base::Task<ClusterPicture> pictureOfCluster(Session& session, std::string name) {
  Reader reader(session);
  auto cluster = co_await readNamed<Cluster>(session, {session.namespace_, name}, "cluster");
  if (!cluster) {
    const Failure missing = co_await noCluster(session, reader, name);
    throw missing;
  }
  ClusterPicture picture{.cluster = std::move(*cluster)};
  const auto& wanted = picture.cluster.spec.infrastructureRef;
  if (!wanted.name.empty() && wanted.kind == Metal3Cluster::info.kind)
    picture.infrastructure = co_await reader.find<Metal3Cluster>({session.namespace_, wanted.name});
  picture.owners = co_await ownersOf(session, reader, picture.cluster);
  co_await addMachines(session, reader, picture);
  picture.addresses = co_await addressesByData(reader, {.namespace_ = session.namespace_});
  picture.unread = reader.unread();
  co_return picture;
}

base::Task<std::optional<std::vector<kube::Event>>> eventsOf(Reader& reader, std::string kind,
                                                             const kube::ObjectMeta& object) {
  auto events = co_await reader.list<kube::Event>(
      {.namespace_ = object.namespace_,
       .fieldSelector = fmt::format("involvedObject.kind={},involvedObject.name={},involvedObject.uid={}", kind,
                                    object.name, object.uid)});
  if (events.empty() && reader.unread().contains(kube::Event::info.kind)) co_return std::nullopt;
  co_return events;
}

}  // namespace ingot::cli
