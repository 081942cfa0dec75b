#include "tests/coordinator/data/site.hpp"

#include "api/kinds/kinds.hpp"
#include "coordinator/machine/rendered_data.hpp"
#include "kube/core/secret.hpp"
#include "tests/support/passes.hpp"

#include <set>

namespace ingot::tests {
namespace {

std::vector<json::Object> kindsOfSite() {
  std::vector<json::Object> all;
  for (const auto set :
       {api::KindSet::hosts, api::KindSet::ipam, api::KindSet::clusterApi, api::KindSet::clusterApiCore})
    std::ranges::move(api::crdsOf(set), std::back_inserter(all));
  return all;
}

const std::vector<json::Object>& definitions() {
  static const std::vector<json::Object> all = kindsOfSite();
  return all;
}

}  // namespace

struct DataSite::Life {
  explicit Life(DataSite& site)
      : client(kube::connect(site.loop.runtime, site.network(), {.server = kProcess})),
        caches(site.loop.runtime, *client, {.unreadable = site.unreadable}),
        addresses(site.loop.runtime, *client, {.unreadable = site.unreadable}, site.watchFilter),
        ipam(site.loop.runtime, {.client = *client, .page = page, .clusters = caches.clusters, .addresses = addresses}),
        controllers(site.loop.runtime, {.client = *client,
                                        .page = page,
                                        .caches = caches,
                                        .addresses = addresses,
                                        .watchFilter = site.watchFilter,
                                        .addressClaims = site.addressClaims}),
        tasks(site.loop.runtime.executor, site.loop.runtime.log) {
    std::vector<kube::Managed> all = controllers.managed();
    if (site.addressManagement) std::ranges::move(ipam.managed(), std::back_inserter(all));
    kube::start(tasks, all);
  }

  std::unique_ptr<kube::Client> client;
  base::Metrics page;
  coordinator::Caches caches;
  coordinator::AddressCaches addresses;
  coordinator::ipam::Controllers ipam;
  coordinator::data::Controllers controllers;
  base::VitalTasks tasks;
};

DataSite::DataSite() : ApiSite(definitions()) {
  create(clusterC1());
  start();
}

DataSite::~DataSite() { kill(); }

void DataSite::start() {
  dead = false;
  dieAtWrite.reset();
  life_ = std::make_unique<Life>(*this);
}

void DataSite::kill() {
  if (!life_) return;
  run(life_->tasks.close());
  life_.reset();
}

void DataSite::addMachine(const std::string& name, const std::string& dataTemplate) {
  addHost(name);
  create(metalMachine(create(machineNamed(name)), dataTemplate));
  addClaim(name);
}

void DataSite::settleOneMachine() {
  create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
  create(dataTemplate(kWithPool));
  addMachine("m0");
  settle();
  writes.clear();
  reads.clear();
}

void DataSite::addHost(const std::string& machine) {
  create(hostOf(machine));
  patchStatus<BareMetalHost>("host-" + machine, R"({"status":{"errorMessage":"","poweredOn":true,
      "operationalStatus":"OK","errorCount":0,"provisioning":{"state":"available","ID":"","image":{"url":""}},
      "hardware":{"nics":[{"name":"nic0","mac":"00:11:22:33:44:66"}]}}})");
}

void DataSite::addClaim(const std::string& machine) {
  auto metal = *find<Metal3Machine>(machine);
  const auto dataTemplate = find<Metal3DataTemplate>("dt");
  create(*coordinator::machine::missingDataClaim(metal, nullptr, dataTemplate ? &*dataTemplate : nullptr));
}

void DataSite::removeMachine(const std::string& name) {
  const auto claim = find<Metal3DataClaim>(name);
  if (claim) {
    kube::Draft<Metal3DataClaim> draft(*claim);
    std::erase(draft->metadata.finalizers, api::capm3::finalizer::machine);
    static_cast<void>(run(kube::save(user(), draft)));
    remove<Metal3DataClaim>(name);
  }
  remove<Metal3Machine>(name);
  remove<Machine>(name);
}

bool DataSite::isReady(const std::string& data) {
  const auto found = find<Metal3Data>(data);
  return found && found->status.ready.value_or(false);
}

std::string DataSite::textOf(const std::string& secret, const std::string& key) {
  const auto found = find<kube::Secret>(secret);
  const auto* value = found ? found->find(key) : nullptr;
  return value ? value->reveal() : "";
}

int DataSite::passes(const std::string& controller) const { return passesOf(life_->page, controller); }
int DataSite::retries(const std::string& controller) const { return retriesOf(life_->page, controller); }

Texts DataSite::breaches() {
  Texts out;
  std::map<std::string, Metal3Data> byUid;
  std::set<std::pair<std::string, int>> indexes;
  const auto claims = all<Metal3DataClaim>();
  for (const auto& data : all<Metal3Data>()) {
    byUid[data.metadata.uid] = data;
    const auto& name = data.metadata.name;
    if (!indexes.insert({data.spec.template_->name, data.spec.index.value()}).second)
      out.push_back(name + " is a double");
    const auto isIts = [&](const auto& claim) { return data.metadata.ownedBy(claim.metadata.uid); };
    if (std::ranges::count_if(claims, isIts) != 1) out.push_back(name + " is nobody's");
    if (!data.status.ready.value_or(false)) continue;
    for (const auto* secret : {&data.spec.metaData, &data.spec.networkData})
      if (*secret && !find<kube::Secret>((*secret)->name)) out.push_back(name + " has no Secret " + (*secret)->name);
  }
  for (const auto& claim : claims) {
    const auto isIts = [&](const auto& entry) { return entry.second.metadata.ownedBy(claim.metadata.uid); };
    if (std::ranges::count_if(byUid, isIts) > 1) out.push_back(claim.metadata.name + " has several data");
    const auto& rendered = claim.status.renderedData;
    if (!rendered || claim.metadata.beingDeleted()) continue;
    const auto data = find<Metal3Data>(rendered->name);
    if (!data || !data->metadata.ownedBy(claim.metadata.uid))
      out.push_back(claim.metadata.name + " does not have " + rendered->name);
  }
  const auto owned = [&](const auto& objects, const char* what) {
    for (const auto& object : objects) {
      const auto& owners = object.metadata.ownerReferences;
      const bool isOurs = std::ranges::any_of(owners, [](const auto& owner) { return owner.kind == "Metal3Data"; });
      const bool isOwned = std::ranges::any_of(owners, [&](const auto& owner) { return byUid.contains(owner.uid); });
      if (isOurs && !isOwned) out.push_back(fmt::format("{} {} is left over", what, object.metadata.name));
    }
  };
  owned(all<IPClaim>(), "IPClaim");
  owned(all<IPAddressClaim>(), "IPAddressClaim");
  owned(all<kube::Secret>(), "Secret");
  std::set<std::string> addresses;
  for (const auto& address : all<api::ipam::IPAddress>())
    if (!addresses.insert(address.spec.address).second) out.push_back(address.spec.address + " was given twice");
  return out;
}

}  // namespace ingot::tests
