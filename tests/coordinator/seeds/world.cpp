#include "tests/coordinator/seeds/world.hpp"

#include "api/capi/owners.hpp"
#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "coordinator/caches/caches.hpp"
#include "coordinator/cluster/controllers.hpp"
#include "coordinator/data/controllers.hpp"
#include "coordinator/host_move/controllers.hpp"
#include "coordinator/ipam/controllers.hpp"
#include "coordinator/label_sync/controllers.hpp"
#include "coordinator/machine/controllers.hpp"
#include "coordinator/machine_template/controllers.hpp"
#include "coordinator/remediation/controllers.hpp"

namespace ingot::tests::seeds {

namespace {

using namespace std::chrono_literals;

constexpr std::array kAuthors = {"ipam",   "cluster",          "data",       "machine",    "host_move",
                                 "caches", "machine_template", "label_sync", "remediation"};

kube::Resource planes(bool rke2) {
  return {.group = "controlplane.cluster.x-k8s.io",
          .version = "v1beta2",
          .kind = rke2 ? "RKE2ControlPlane" : "KubeadmControlPlane",
          .plural = rke2 ? "rke2controlplanes" : "kubeadmcontrolplanes"};
}

json::Object definitionOfPlanes(bool rke2) {
  const kube::Resource resource = planes(rke2);
  return json::parse(
             fmt::format(R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{)"
                         R"("name":"{0}.{1}"}},"spec":{{"group":"{1}","scope":"Namespaced","names":{{"plural":"{0}",)"
                         R"("singular":"{2}","kind":"{3}"}},"versions":[{{"name":"v1beta2","served":true,)"
                         R"("storage":true,"schema":{{"openAPIV3Schema":{{"type":"object",)"
                         R"("x-kubernetes-preserve-unknown-fields":true}}}}}}]}}}})",
                         resource.plural, resource.group, resource.plural.substr(0, resource.plural.size() - 1),
                         resource.kind))
      .get_object();
}

std::vector<json::Object> servedKinds() {
  std::vector<json::Object> all;
  for (const auto set :
       {api::KindSet::hosts, api::KindSet::ipam, api::KindSet::clusterApi, api::KindSet::clusterApiCore})
    std::ranges::move(api::crdsOf(set), std::back_inserter(all));
  all.push_back(api::crdOf<api::capi::MachineSet>());
  for (const bool rke2 : {false, true}) all.push_back(definitionOfPlanes(rke2));
  return all;
}

std::string doorOf(const std::string& author) {
  std::string host = author;
  std::ranges::replace(host, '_', '-');
  return "https://" + host + ".test";
}

}  // namespace

struct World::Life {
  explicit Life(World& world)
      : world_(world),
        caches(runtime(), clientOf("caches")),
        addresses(runtime(), clientOf("caches")),
        nodes(runtime(), clientOf("caches").api(), world.network(), {.probeInterval = 1min}),
        leavingClusters(nodes.endWith(caches.clusters)),
        ipam(runtime(),
             {.client = clientOf("ipam"), .page = page, .clusters = caches.clusters, .addresses = addresses}),
        clusters(runtime(), {.client = clientOf("cluster"), .page = page, .caches = caches}),
        data(runtime(), {.client = clientOf("data"), .page = page, .caches = caches, .addresses = addresses}),
        machines(runtime(), {.client = clientOf("machine"), .page = page, .caches = caches, .nodes = nodes}),
        hostMoves(runtime(), {.client = clientOf("host_move"), .page = page, .caches = caches}),
        templates(runtime(), {.client = clientOf("machine_template"), .page = page, .caches = caches}),
        labels(runtime(), {.client = clientOf("label_sync"), .page = page, .caches = caches, .nodes = nodes}),
        remediations(runtime(), {.client = clientOf("remediation"), .page = page, .caches = caches, .nodes = nodes}),
        tasks(world.loop.runtime.executor, world.loop.runtime.log) {
    std::vector<kube::Managed> all = ipam.managed();
    const auto add = [&](std::vector<kube::Managed> more) { std::ranges::move(more, std::back_inserter(all)); };
    add(clusters.managed());
    add(data.managed());
    add(machines.managed());
    add(hostMoves.managed());
    add(templates.managed());
    add(labels.managed());
    add(remediations.managed());
    tasks.spawn("workload clusters", nodes.run());
    kube::start(tasks, all);
  }

  [[nodiscard]] const base::Runtime& runtime() const { return world_.loop.runtime; }
  kube::Client& clientOf(const std::string& author) {
    auto& own = clients[author];
    if (!own) own = kube::connect(runtime(), world_.network(), {.server = doorOf(author)});
    return *own;
  }

  World& world_;
  std::map<std::string, std::unique_ptr<kube::Client>> clients;
  base::Metrics page;
  coordinator::Caches caches;
  coordinator::AddressCaches addresses;
  coordinator::workload::ClusterCache nodes;
  kube::Subscription leavingClusters;
  coordinator::ipam::Controllers ipam;
  coordinator::cluster::Controllers clusters;
  coordinator::data::Controllers data;
  coordinator::machine::Controllers machines;
  coordinator::host_move::Controllers hostMoves;
  coordinator::machine_template::Controllers templates;
  coordinator::label_sync::Controllers labels;
  coordinator::remediation::Controllers remediations;
  base::VitalTasks tasks;
};

World::World()
    : ApiSite(servedKinds()),
      traffic(loop),
      workload(loop, network()),
      ledger([this](const Ledger& all, const Change& change) { rules.judge(all, change); }),
      nodes([this](const Ledger&, const Change& change) {
        if (change.resource == "nodes") rules.judgeNode(ledger, change);
      }) {
  rules.now = [this] { return loop.clock.now(); };
  ledger.follow(server().registry(), "metal");
  nodes.follow(workload.registry(), "");
  workload.answer = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    const auto body = [](std::string text) { return net::HttpResponse{.status = 200, .body = std::move(text)}; };
    if (request.path() == "/version") return body(fmt::format(R"({{"major":"1","minor":"{}"}})", minorVersion));
    if (request.path() == "/api/v1/pods" || request.path().ends_with("/volumeattachments"))
      return body(R"({"items":[]})");
    return std::nullopt;
  };
  for (const auto* author : kAuthors) serve(author);
  doors_.push_back(std::make_unique<Door>(traffic, "", workload));
  network().serve(WorkloadCluster::kServer, *doors_.back(), apiserver::EmbeddedApi::localAdmin());
}

World::~World() {
  kill();
  traffic.end();
  run(network().close());
}

void World::serve(const std::string& author) {
  doors_.push_back(std::make_unique<Door>(traffic, author, server().handler()));
  network().serve(doorOf(author), *doors_.back(), apiserver::EmbeddedApi::localAdmin());
}

// Timers of the API run through the hours in step.
void World::begin(std::uint64_t seed, Fates fates) {
  const auto into = loop.clock.wall().time_since_epoch() % 1h;
  loop.clock.advance(1h - into);
  loop.random->reseed(seed);
  rules.begin();
  workload.writes.clear();
  traffic.begin(std::move(fates));
}

void World::start() {
  traffic.revive();
  traffic.tell("the process starts");
  life_ = std::make_unique<Life>(*this);
}

void World::kill() {
  if (!life_) return;
  traffic.die();
  run(life_->tasks.close());
  life_.reset();
}

void World::pass(base::Duration time) {
  static_cast<void>(loop.clock.advanceUntil([this] { return life_ && traffic.isDead(); }, time));
}

json::Value World::makePlane(bool rke2, const std::string& text) {
  return run(user().api().create(planes(rke2), "metal", json::parse(text)));
}

void World::removePlane(bool rke2, const std::string& name) {
  ignoringAbsence([&] { static_cast<void>(run(user().api().remove(planes(rke2), {"metal", name}))); });
}

void World::ignoringAbsence(const std::function<void()>& write) {
  try {
    write();
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
}

}  // namespace ingot::tests::seeds
