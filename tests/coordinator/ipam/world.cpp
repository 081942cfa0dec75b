#include "tests/coordinator/ipam/world.hpp"

#include "api/kinds/kinds.hpp"
#include "coordinator/admission.hpp"
#include "kube/client/config.hpp"
#include "kube/core/event.hpp"
#include "kube/core/namespace.hpp"
#include "tests/support/deaf.hpp"
#include "tests/support/passes.hpp"

#include <set>

namespace ingot::tests {
namespace {

using api::capi_ipam::IPAddressClaim;
using api::ipam::IPClaim;

constexpr auto userOrigin = "https://user.test";
constexpr auto controllerOrigin = "https://controller.test";

// Hands an answer on and remembers conflicts.
struct Listening final : net::Responder {
  net::Responder& out;
  std::size_t& conflicts;
  Listening(net::Responder& to, std::size_t& count) : out(to), conflicts(count) {}

  base::Task<void> send(net::HttpResponse response) override {
    if (response.status == 409) ++conflicts;
    co_await out.send(std::move(response));
  }
  base::Task<void> begin(int status, net::Headers headers) override { co_await out.begin(status, std::move(headers)); }
  base::Task<void> write(std::string chunk) override { co_await out.write(std::move(chunk)); }
  base::Task<void> end() override { co_await out.end(); }
  void abort() override { out.abort(); }
};

std::vector<json::Object> definitions(IpamSite::ClusterApi clusterApi) {
  auto all = api::crdsOf(api::KindSet::ipam);
  if (clusterApi == IpamSite::ClusterApi::absent) return all;
  std::ranges::move(api::crdsOf(api::KindSet::clusterApiCore), std::back_inserter(all));
  return all;
}

// Which claim an address names and which address a claim names, read from the fields themselves: the controllers have
// functions for it, which may be wrong.
std::string claimIn(const api::ipam::IPAddress& address) {
  return address.spec.claim.namespace_ == "metal" ? address.spec.claim.name : "";
}
std::string claimIn(const api::capi_ipam::IPAddress& address) { return address.spec.claimRef.name; }
std::string addressIn(const IPClaim& claim) { return claim.status.address ? claim.status.address->name : ""; }
std::string addressIn(const IPAddressClaim& claim) { return claim.status.addressRef.name; }

}  // namespace

// Between the process and the API.
class IpamSite::Gateway final : public net::HttpHandler {
 public:
  explicit Gateway(IpamSite& world) : world_(world) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (world_.dead) co_return out.abort();
    const bool isWrite = request.method != "GET" && request.target.find("/events") == std::string::npos;
    const bool breaks = isWrite && world_.dieAtWrite == world_.writes.size();
    if (isWrite) world_.writes.push_back(request.method + " " + std::string(request.path()));
    const bool isPublication = request.method == "PATCH" && request.path().ends_with("/ippools/pool/status");
    const bool isCreation = request.method == "POST" && request.path().ends_with("/ipaddresses");
    if (isPublication) world_.publications.push_back(world_.loop.clock.now());
    if (world_.meddling > 0 && request.method == "PATCH" && request.path().find("/ipclaims/a") != std::string::npos) {
      co_await meddle();
    }
    if (request.method == "POST" && !world_.lost.empty() && request.path().ends_with(world_.lost)) {
      co_return out.abort();
    }
    if (isPublication && world_.largestPoolStatus && request.body.size() > *world_.largestPoolStatus) {
      co_return co_await out.send({.status = 500,
                                   .body = R"({"kind":"Status","apiVersion":"v1","status":"Failure",)"
                                           R"("message":"etcdserver: request is too large","code":500})"});
    }
    if (request.path().ends_with("/clusters") && request.query().contains("watch=true"))
      co_await world_.loop.runtime.clock.sleepFor(world_.clustersHeldFor);
    if (isHeld(request)) co_await world_.loop.runtime.clock.sleepFor(world_.watchHeldFor);
    if (const auto& broken = world_.broken;
        broken && request.method == broken->method && request.path().contains(broken->path))
      co_return co_await out.send({.status = broken->status, .body = std::string(2'000, 'x')});
    if (request.method == "GET" && request.path().contains("/clusters/")) {
      ++world_.looksAtClusters;
      co_await world_.loop.runtime.clock.sleepFor(world_.looksTake);
    }
    if (isCreation && std::exchange(world_.holdsNext, false)) {
      world_.heldBack_ = std::move(request);
      co_return out.abort();
    }
    if (isCreation && world_.denials > 0) {
      --world_.denials;
      co_return co_await out.send({.status = world_.denial, .body = nameIn(request) + " is forbidden: not now"});
    }
    if (!breaks) {
      Listening listening(out, world_.conflicts);
      co_return co_await world_.api_->handler().handle(std::move(request), listening);
    }
    world_.brokeAWrite = true;
    world_.dead = !world_.survives;
    Deaf nobody;
    if (world_.death == Death::late)
      world_.heldBack_ = std::move(request);
    else if (world_.death == Death::after)
      co_await world_.api_->handler().handle(std::move(request), nobody);
    out.abort();
  }

 private:
  static std::string nameIn(const net::ServerRequest& request) {
    return json::textAt(json::parse(request.body), {"metadata", "name"});
  }
  bool isHeld(const net::ServerRequest& request) const {
    const bool isIt =
        request.method == "GET" && !world_.heldWatch.empty() && request.path().ends_with(world_.heldWatch);
    const bool isList = world_.holdsLists && !request.query().contains("fieldSelector");
    return isIt && (isList || request.query().contains("watch=true"));
  }
  base::Task<void> meddle() {
    json::Value patch = json::parse(R"({"metadata":{"labels":{}}})");
    json::makeObjectAt(patch, {"metadata", "labels"})["n"] = std::to_string(--world_.meddling);
    static_cast<void>(co_await world_.user_->patch<IPClaim>({"metal", "a"}, std::move(patch)));
  }

  IpamSite& world_;
};

struct IpamSite::Life {
  explicit Life(IpamSite& world)
      : client(kube::connect(world.loop.runtime, world.network_, {.server = controllerOrigin})),
        clusters(world.loop.runtime, client->api(),
                 {.watcher = {.mayBeAbsent = true}, .unreadable = world.unreadable.of<api::capi::Cluster>()}),
        addresses(world.loop.runtime, *client, {.unreadable = world.unreadable}, world.watchFilter),
        controllers(
            world.loop.runtime,
            {.client = *client, .page = page, .clusters = clusters, .addresses = addresses, .retry = world.retry}),
        tasks(world.loop.runtime.executor, world.loop.runtime.log) {
    kube::start(tasks, controllers.managed());
  }

  std::unique_ptr<kube::Client> client;
  base::Metrics page;
  kube::Cache<api::capi::Cluster> clusters;
  coordinator::AddressCaches addresses;
  coordinator::ipam::Controllers controllers;
  base::VitalTasks tasks;
};

IpamSite::IpamSite(ClusterApi clusterApi) : gateway_(std::make_unique<Gateway>(*this)) {
  apiserver::EmbeddedOptions options{.definitions = definitions(clusterApi),
                                     .admission = coordinator::admissionRules,
                                     .converters = coordinator::kindConverters()};
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(loop.runtime, std::move(options)));
  network_.serve(userOrigin, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  network_.serve(controllerOrigin, *gateway_, apiserver::EmbeddedApi::localAdmin());
  user_ = kube::connect(loop.runtime, network_, {.server = userOrigin});
  kube::Namespace space;
  space.metadata.name = "metal";
  run(user_->create(std::move(space)));
  start();
}

IpamSite::~IpamSite() {
  kill();
  user_.reset();
  run(network_.close());
  run(api_->stop(std::chrono::seconds(1)));
}

void IpamSite::start() {
  dead = false;
  dieAtWrite.reset();
  life_ = std::make_unique<Life>(*this);
}

int IpamSite::passes(const std::string& controller) const { return passesOf(life_->page, controller); }
int IpamSite::retries(const std::string& controller) const { return retriesOf(life_->page, controller); }

void IpamSite::arrives() {
  Deaf nobody;
  run(api_->handler().handle(std::move(*heldBack_), nobody));
}

void IpamSite::kill() {
  if (!life_) return;
  run(life_->tasks.close());
  life_.reset();
}

std::string IpamSite::answer(const std::string& name) {
  const auto claim = find<IPClaim>(name);
  if (!claim) return "gone";
  if (claim->status.errorMessage) return *claim->status.errorMessage;
  if (!claim->status.address) return "";
  const auto address = find<api::ipam::IPAddress>(claim->status.address->name);
  return address ? address->spec.address : "no object";
}

std::string IpamSite::capiAnswer(const std::string& name) {
  const auto claim = find<IPAddressClaim>(name);
  if (!claim) return "gone";
  const auto& conditions = claim->status.conditions;
  if (!conditions.empty() && conditions[0].status == "False") return conditions[0].message;
  if (claim->status.addressRef.name.empty()) return "";
  const auto address = find<api::capi_ipam::IPAddress>(claim->status.addressRef.name);
  return address ? address->spec.address : "no object";
}

std::vector<std::string> IpamSite::told(const std::string& reason) {
  std::vector<std::string> messages;
  for (const auto& event : all<kube::Event>())
    if (event.reason == reason) messages.push_back(event.message);
  return messages;
}

std::vector<std::string> IpamSite::breaches() {
  std::vector<std::string> out;
  std::set<base::IpAddress> inUse;
  const auto look = [&](const auto& addresses, const auto& claims) {
    std::map<std::string, std::string> owners;  // address object → claim
    for (const auto& address : addresses) {
      const std::string owner = claimIn(address);
      owners[address.metadata.name] = owner;
      const auto value = base::IpAddress::parse(address.spec.address);
      if (!value || !inUse.insert(*value).second) out.push_back(address.spec.address + " was given twice");
      const auto isItsClaim = [&](const auto& claim) { return claim.metadata.name == owner; };
      if (std::ranges::none_of(claims, isItsClaim)) out.push_back(address.spec.address + " is nobody's");
    }
    for (const auto& claim : claims) {
      const std::string name = addressIn(claim);
      if (name.empty() || claim.metadata.beingDeleted()) continue;
      const auto owner = owners.find(name);
      if (owner == owners.end()) out.push_back(claim.metadata.name + " has an address without object");
      if (owner != owners.end() && owner->second != claim.metadata.name)
        out.push_back(claim.metadata.name + " has the address of " + owner->second);
    }
  };
  look(all<api::ipam::IPAddress>(), all<IPClaim>());
  look(all<api::capi_ipam::IPAddress>(), all<IPAddressClaim>());
  return out;
}

}  // namespace ingot::tests
