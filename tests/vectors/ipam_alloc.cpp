// Claims of a pool, one after the other: what each gets, and what the pool tells of it (spec/ipam.md §10–§13).
#include "api/ipam/names.hpp"
#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/claim_status.hpp"
#include "coordinator/ipam/decision.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace {

using namespace ingot;
using namespace ingot::coordinator;
using json::Value;

// Names of the objects of one API; their order is that of a list.
template <class T>
using Objects = std::map<std::string, T>;

template <class Claim, class Address>
struct Side {
  ipam::ClaimKind kind;
  Objects<Claim> claims;
  Objects<Address> addresses;  // "namespace/name" of those that are elsewhere
};

std::string addressNameIn(const api::ipam::IPClaim& claim) {
  return claim.status.address ? claim.status.address->name : "";
}
std::string addressNameIn(const api::capi_ipam::IPAddressClaim& claim) { return claim.status.addressRef.name; }

void tellNo(api::ipam::IPClaim& claim, const ipam::Refused& refused) { ipam::tellRefusal(claim, refused); }
void tellNo(api::capi_ipam::IPAddressClaim& claim, const ipam::Refused& refused) {
  ipam::tellRefusal(claim, refused, {});
}

void tellMade(api::ipam::IPClaim& claim, const std::string& name) { ipam::tellAddress(claim, name); }
void tellMade(api::capi_ipam::IPAddressClaim& claim, const std::string& name) {
  ipam::tellAddress(claim, name);
  ipam::tellReady(claim, {});
}

// Upstream leaves the reason of Ready empty, which the API refuses; ours has one (§18, hazard 9). Times are not
// compared.
Value asUpstreamTells(Value status) {
  auto* conditions = status.as_object().if_contains("conditions");
  if (!conditions) return status;
  for (auto& condition : conditions->as_array()) {
    condition.as_object().erase("lastTransitionTime");
    if (condition.at("reason") == "Ready") condition.as_object()["reason"] = "";
  }
  return status;
}

// The fake API of the vectors gives claims without version and kind; upstream's owners do not manage (§18, hazard 12).
Value asUpstreamMakes(Value object) {
  object.as_object().erase("apiVersion");
  object.as_object().erase("kind");
  auto* owners = object.at("metadata").as_object().if_contains("ownerReferences");
  if (!owners) return object;
  for (auto& owner : owners->as_array()) {
    owner.as_object().erase("controller");
    owner.as_object().erase("blockOwnerDeletion");
    if (owner.at("kind") != "IPPool") owner.as_object()["apiVersion"] = owner.as_object()["kind"] = "";
  }
  return object;
}

// A pool, its claims and their addresses in a small API of their own.
class PoolWorld {
 public:
  explicit PoolWorld(const Value& in) : pool_(json::decode<api::ipam::IPPool>(in.at("pool"))) {
    read(in, "addresses", metal3_.addresses);
    read(in, "capiAddresses", capi_.addresses);
  }

  Value step(const Value& step) {
    return json::textAt(step, {"kind"}) == "IPClaim" ? stepOf(metal3_, step) : stepOf(capi_, step);
  }

  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }
  [[nodiscard]] Value poolStatus() const {
    json::Object indexes;
    for (const auto& [claim, address] : book().indexes()) indexes[claim] = address;
    return json::Object{{"indexes", indexes}};
  }

 private:
  template <class T>
  void read(const Value& in, std::string_view key, Objects<T>& into) {
    const auto* all = json::arrayAt(in, {key});
    if (!all) return;
    for (const auto& item : *all) {
      auto object = json::decode<T>(item);
      into.emplace(keyOf(object.metadata.namespace_, object.metadata.name), std::move(object));
    }
  }
  [[nodiscard]] std::string keyOf(const std::string& space, const std::string& name) const {
    return space == pool_.metadata.namespace_ ? name : space + "/" + name;
  }

  [[nodiscard]] ipam::PoolBook book() const {
    ipam::PoolBook out(pool_);
    for (const auto& [name, object] : metal3_.addresses) out.add(object);
    for (const auto& [name, object] : capi_.addresses) out.add(object);
    return out;
  }

  template <class Claim, class Address>
  Value stepOf(Side<Claim, Address>& side, const Value& step) {
    const bool creates = json::textAt(step, {"op"}) == "create";
    const std::string name = creates ? json::textAt(step, {"claim", "metadata", "name"}) : json::textAt(step, {"name"});
    if (creates)
      side.claims[name] = json::decode<Claim>(step.at("claim"));
    else
      side.claims.at(name).metadata.deletionTimestamp = base::WallTime{};
    const std::size_t count = reconcile();
    return json::Object{{"address", addressOf(side, name)},
                        {"claim", claimAfter(side, name)},
                        {"count", error_ ? 0 : count},
                        {"error", error_ ? Value(*error_) : Value()}};
  }

  std::size_t reconcile() {
    error_.reset();
    ipam::PoolBook known = book();
    handleAll(metal3_, known);
    handleAll(capi_, known);
    return known.inUse();
  }

  template <class Claim, class Address>
  void handleAll(Side<Claim, Address>& side, ipam::PoolBook& known) {
    for (auto at = side.claims.begin(); at != side.claims.end();) {
      auto& claim = (at++)->second;
      const ipam::ClaimAction action = ipam::actionFor(pool_, claim);
      if (action == ipam::ClaimAction::allocate) handle(side, known, claim);
      if (action == ipam::ClaimAction::release) release(side, known, claim.metadata.name);
    }
  }

  template <class Claim, class Address>
  void handle(Side<Claim, Address>& side, ipam::PoolBook& known, Claim& claim) {
    ipam::begin(claim);
    const ipam::Decision<Address> decision = ipam::decide(known, pool_, claim, *random_);
    if (const auto* adopted = std::get_if<ipam::Adopt>(&decision)) return ipam::tellAddress(claim, adopted->name);
    if (const auto* refused = std::get_if<ipam::Refused>(&decision)) {
      tellNo(claim, *refused);
      return fail(refused->logText());
    }
    if (const auto* made = std::get_if<ipam::Create<Address>>(&decision)) {
      const std::string& name = made->object.metadata.name;
      if (side.addresses.emplace(name, made->object).second) return tellMade(claim, name);
      known.release({side.kind, claim.metadata.name});
      fail("object already exists. Object will be requeued after 0s");
    }
  }

  template <class Claim, class Address>
  void release(Side<Claim, Address>& side, ipam::PoolBook& known, const std::string& claim) {
    const ipam::ClaimKey key{side.kind, claim};
    side.addresses.erase(addressObjectOf(known, pool_, key));
    known.release(key);
    side.claims.erase(claim);
  }

  void fail(const std::string& text) {
    if (!error_) error_ = text;
  }

  template <class Claim, class Address>
  Value claimAfter(const Side<Claim, Address>& side, const std::string& name) const {
    const auto at = side.claims.find(name);
    if (at == side.claims.end()) return nullptr;
    return json::Object{{"finalizers", json::encode(at->second.metadata.finalizers)},
                        {"status", asUpstreamTells(json::encode(at->second.status))}};
  }

  template <class Claim, class Address>
  Value addressOf(const Side<Claim, Address>& side, const std::string& name) const {
    const auto claim = side.claims.find(name);
    if (claim == side.claims.end()) return nullptr;
    const auto address = side.addresses.find(addressNameIn(claim->second));
    return address == side.addresses.end() ? Value() : asUpstreamMakes(json::encode(address->second));
  }

  api::ipam::IPPool pool_;
  Side<api::ipam::IPClaim, api::ipam::IPAddress> metal3_{ipam::ClaimKind::metal3, {}, {}};
  Side<api::capi_ipam::IPAddressClaim, api::capi_ipam::IPAddress> capi_{ipam::ClaimKind::capi, {}, {}};
  std::optional<std::string> error_;
  std::unique_ptr<base::Random> random_ = base::seededRandom(1);
};

vectors::Outcome runIpamAlloc(const vectors::Line& line) {
  PoolWorld world(line.in);
  json::Array steps;
  for (const auto& step : line.in.at("steps").as_array()) steps.push_back(world.step(step));
  return vectors::compare(line, json::Object{{"poolStatus", world.poolStatus()}, {"steps", steps}}, std::nullopt);
}

const vectors::Registration ipamAllocRegistration("ipam_alloc", runIpamAlloc);

}  // namespace
