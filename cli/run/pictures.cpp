#include "cli/run/pictures.hpp"

#include "api/capi_ipam/ip_address.hpp"
#include "api/capm3/host_link.hpp"
#include "api/capm3/names.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "cli/run/find.hpp"
#include "kube/client/discovery.hpp"
#include "kube/core/error.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

using namespace api::capm3::v1beta2;
using api::capi::Cluster;
using api::capi::Machine;

// All of a kind; none where the server does not know the kind.
template <class T>
base::Task<std::vector<T>> listed(Session& session, std::string selector = {}) {
  try {
    co_return co_await session.client.list<T>({.namespace_ = session.namespace_, .labelSelector = std::move(selector)});
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  co_return std::vector<T>();
}

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

base::Task<Addresses> addressesByData(Session& session) {
  Addresses all;
  const ByName<api::ipam::IPAddress> ours(co_await listed<api::ipam::IPAddress>(session));
  for (const auto& claim : co_await listed<api::ipam::IPClaim>(session)) {
    const auto address = claim.status.address ? ours.find(claim.status.address->name) : std::nullopt;
    if (address) add(all, claim.metadata, address->spec.address, claim.spec.pool.name);
  }
  const ByName<api::capi_ipam::IPAddress> shared(co_await listed<api::capi_ipam::IPAddress>(session));
  for (const auto& claim : co_await listed<api::capi_ipam::IPAddressClaim>(session)) {
    const auto address = shared.find(claim.status.addressRef.name);
    if (address) add(all, claim.metadata, address->spec.address, claim.spec.poolRef.name);
  }
  co_return all;
}

// Its message where condition Available is there and not True.
std::string troubleOf(const json::Value& object) {
  const auto* conditions = json::arrayAt(object, {"status", "conditions"});
  if (conditions == nullptr) return "";
  for (const auto& each : *conditions)
    if (json::textAt(each, {"type"}) == "Available" && json::textAt(each, {"status"}) != "True")
      return json::textAt(each, {"message"});
  return "";
}

MachineOwner ownerFrom(const std::string& kind, const json::Value& object) {
  return {kind, json::textAt(object, {"metadata", "name"}), troubleOf(object)};
}

// The control plane, then the deployments: each has a place in the tree before it has a machine.
base::Task<std::vector<MachineOwner>> ownersOf(Session& session, Cluster cluster) {
  std::vector<MachineOwner> owners;
  const auto served = co_await kube::Discovery::load(session.client.api());
  const auto resourceOf = [&served](std::string_view group, std::string_view kind) {
    const auto found = std::ranges::find_if(served.all(), [&](const kube::ServedKind& each) {
      return each.resource.group == group && each.resource.kind == kind;
    });
    return found == served.all().end() ? nullptr : &*found;
  };
  const auto& wanted = cluster.spec.controlPlaneRef;
  if (!wanted.name.empty()) {
    std::optional<json::Value> object;
    if (const auto* kind = resourceOf(wanted.apiGroup, wanted.kind))
      object = co_await session.client.api().get(kind->resource, {session.namespace_, wanted.name});
    owners.push_back(object ? ownerFrom(wanted.kind, *object)
                            : MachineOwner{wanted.kind, wanted.name, "it is not there"});
  }
  if (const auto* kind = resourceOf(Machine::info.group, "MachineDeployment")) {
    const std::string selector = fmt::format("{}={}", api::capm3::label::clusterName, cluster.metadata.name);
    const auto page = co_await session.client.api().list(kind->resource,
                                                         {.namespace_ = session.namespace_, .labelSelector = selector});
    for (const auto& each : page.items) owners.push_back(ownerFrom("MachineDeployment", each));
  }
  co_return owners;
}

base::Task<std::vector<MachinePicture>> machinesOf(Session& session, std::string selector) {
  auto machines = co_await listed<Metal3Machine>(session, selector);
  const ByName<Machine> owners(co_await listed<Machine>(session, selector));
  const ByName<Metal3DataClaim> claims(co_await listed<Metal3DataClaim>(session));
  const ByName<Metal3Data> data(co_await listed<Metal3Data>(session));
  const ByName<Metal3Remediation> remediations(co_await listed<Metal3Remediation>(session));
  const ByName<api::BareMetalHost> hosts(co_await listed<api::BareMetalHost>(session));
  std::vector<MachinePicture> pictures;
  pictures.reserve(machines.size());
  for (auto& machine : machines) {
    const std::string owner = ownerMachineOf(machine.metadata);
    const auto link = api::capm3::linkedHostOf(machine.metadata);
    const auto claim = claims.find(machine.metadata.name);
    pictures.push_back({.machine = {},
                        .owner = owners.find(owner),
                        .claim = claim,
                        .data = data.find(dataNameOf(claim)),
                        .host = link ? hosts.find(link->name) : std::nullopt,
                        .remediation = remediations.find(owner)});
    pictures.back().machine = std::move(machine);
  }
  co_return pictures;
}

}  // namespace

base::Task<MachinePicture> pictureOfMachine(Session& session, std::string name) {
  const auto key = [&session](const std::string& of) { return kube::ObjectKey{session.namespace_, of}; };
  auto& client = session.client;
  auto machine = co_await client.get<Metal3Machine>(key(name));
  if (!machine)
    throw notThere(session, infoOf(Subject::machines), name, namesOf(co_await listed<Metal3Machine>(session)));
  MachinePicture picture{.machine = std::move(*machine)};
  if (const std::string owner = ownerMachineOf(picture.machine.metadata); !owner.empty()) {
    picture.owner = co_await client.get<Machine>(key(owner));
    picture.remediation = co_await client.get<Metal3Remediation>(key(owner));
  }
  picture.claim = co_await client.get<Metal3DataClaim>(key(name));
  if (const std::string data = dataNameOf(picture.claim); !data.empty())
    picture.data = co_await client.get<Metal3Data>(key(data));
  if (const auto link = api::capm3::linkedHostOf(picture.machine.metadata))
    picture.host = co_await client.get<api::BareMetalHost>(*link);
  co_return picture;
}

base::Task<ClusterPicture> pictureOfCluster(Session& session, std::string name) {
  auto cluster = co_await session.client.get<Cluster>({session.namespace_, name});
  if (!cluster) {
    const SubjectInfo& subject = infoOf(Subject::clusters);
    throw notThere(session, subject, name, namesOf(co_await listed<Cluster>(session)));
  }
  ClusterPicture picture{.cluster = std::move(*cluster)};
  if (const std::string& wanted = picture.cluster.spec.infrastructureRef.name; !wanted.empty())
    picture.infrastructure = co_await session.client.get<Metal3Cluster>({session.namespace_, wanted});
  picture.owners = co_await ownersOf(session, picture.cluster);
  picture.machines = co_await machinesOf(session, fmt::format("{}={}", api::capm3::label::clusterName, name));
  picture.addresses = co_await addressesByData(session);
  co_return picture;
}

base::Task<std::vector<kube::Event>> eventsOf(Session& session, std::string kind, const kube::ObjectMeta& object) {
  co_return co_await session.client.list<kube::Event>(
      {.namespace_ = object.namespace_,
       .fieldSelector = fmt::format("involvedObject.kind={},involvedObject.name={},involvedObject.uid={}", kind,
                                    object.name, object.uid)});
}

}  // namespace ingot::cli
