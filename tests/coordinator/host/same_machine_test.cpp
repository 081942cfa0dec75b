// Of two hosts that may be one machine, who comes first.
#include "coordinator/host/same_machine.hpp"

#include "api/bmh/names.hpp"
#include "coordinator/host/machine_claims.hpp"
#include "coordinator/host/machine_reservations.hpp"
#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

namespace host = coordinator::host;
using host::State;

api::BareMetalHost made(std::string space, std::string name, int second, State state = State::registering,
                        std::string node = "") {
  return aHost(state).with([&](api::BareMetalHost& it) {
    it.metadata.namespace_ = std::move(space);
    it.metadata.name = std::move(name);
    it.metadata.creationTimestamp = base::WallTime(std::chrono::seconds(second));
    it.status.provisioning.ID = std::move(node);
  });
}

bool comesBefore(const api::BareMetalHost& one, const api::BareMetalHost& other) {
  return host::comesBefore(host::claimOf(one), host::claimOf(other));
}

TEST_CASE("of two hosts of one machine exactly one comes first", "[host][pure]") {
  struct Row {
    std::string why;
    api::BareMetalHost first, second;
  };
  const Row rows[] = {
      {"the older one", made("b", "z", 1), made("a", "a", 2)},
      {"of one second: by namespace", made("a", "z", 1), made("b", "a", 1)},
      {"of one second and namespace: by name", made("a", "a", 1), made("a", "b", 1)},
      {"the older of two with a node", made("b", "z", 1, State::provisioned, "n"),
       made("a", "a", 2, State::provisioned, "n")},
      {"one that has a node before one that never had", made("b", "z", 2, State::registering, "n"), made("a", "a", 1)},
      {"one that has come further", made("b", "z", 2, State::available), made("a", "a", 1, State::none)},
      {"one with a BMC", made("b", "z", 2), aHost(State::unmanaged).with([](auto& it) {
         it.metadata.creationTimestamp = base::WallTime(std::chrono::seconds(1));
         it.spec.bmc.address.clear();
       })},
  };
  for (const Row& row : rows) {
    INFO(row.why);
    CHECK(comesBefore(row.first, row.second));
    CHECK_FALSE(comesBefore(row.second, row.first));
  }
  api::BareMetalHost leaving = made("a", "a", 1, State::deprovisioning, "n");
  leaving.metadata.deletionTimestamp = base::WallTime(std::chrono::seconds(9));
  CHECK(comesBefore(leaving, made("a", "b", 2)));
}

// As a move brings it: later than what was there, and without a status of its own.
api::BareMetalHost arrived(std::string carriedStatus) {
  auto it = made("b", "z", 9, State::none);
  it.metadata.annotations[std::string(carried)] = std::move(carriedStatus);
  return it;
}

TEST_CASE("a host whose carried status was not taken over yet ranks by that one", "[host][pure]") {
  const auto older = made("a", "a", 1);
  for (const char* value : {R"({"provisioning":{"state":"provisioned"}})", R"({"provisioning":{"ID":"n"}})", "{garbage",
                            R"({"provisioning":{"state":"of a later version"}})"}) {
    INFO(value);
    CHECK(host::wasRegistered(arrived(value)));
    CHECK(comesBefore(arrived(value), older));
    CHECK_FALSE(comesBefore(older, arrived(value)));
    CHECK(comesBefore(made("a", "a", 1, State::provisioned, "n"), arrived(value)));
  }
  for (const char* value : {"{}", R"({"provisioning":{"state":"registering"}})"}) {
    INFO(value);
    CHECK(comesBefore(older, arrived(value)));
    CHECK(host::claimOf(arrived(value)).stands());
  }
  const auto away = arrived(R"({"operationalStatus":"detached","provisioning":{"state":"provisioned"}})");
  CHECK_FALSE(host::claimOf(away).stands());

  auto own = arrived(R"({"provisioning":{"state":"provisioned"}})");
  own.status.lastUpdated = base::WallTime{};  // the annotation does not count any more
  CHECK_FALSE(comesBefore(own, older));
}

TEST_CASE("what hosts of one machine carry is looked at once for each change, however often they are compared",
          "[host][pure]") {
  host::MachineClaims claims;
  std::vector<kube::ObjectKey> keys;
  for (int i = 0; i < 100; ++i) {
    auto it = arrived(R"({"provisioning":{"state":"registering"}})");
    it.metadata.name = "h" + std::to_string(i);
    keys.push_back(it.metadata.key());
    CHECK_FALSE(claims.note(keys.back(), &it).stands());
  }
  const auto first = [&](const kube::ObjectKey& one) {
    return std::ranges::none_of(
        keys, [&](const auto& other) { return host::comesBefore(claims.find(other), claims.find(one)); });
  };
  CHECK(std::ranges::count_if(keys, first) == 1);
  CHECK(claims.made() == 100);

  const auto changed = arrived("{garbage");
  CHECK(claims.note(keys[7], &changed).rank == host::MachineClaim::Rank::unregistered);
  CHECK(first(keys[7]));
  CHECK(claims.made() == 101);
  CHECK(claims.note(keys[7], nullptr).rank == host::MachineClaim::Rank::registered);
  CHECK_FALSE(claims.find(keys[7]).stands());
  CHECK(claims.made() == 101);
}

TEST_CASE("a host that gets no node as it is keeps no other from the machine", "[host][pure]") {
  const auto fresh = made("b", "z", 9);
  auto detached = made("a", "a", 1, State::provisioned, "n");
  detached.status.operationalStatus = "detached";
  auto released = made("a", "a", 1, State::deleting, "n");
  released.metadata.deletionTimestamp = base::WallTime(std::chrono::seconds(9));
  released.metadata.finalizers = {"example.com/backup"};
  for (const auto& first : {detached, released}) {
    CHECK_FALSE(host::claimOf(first).stands());
    CHECK_FALSE(comesBefore(first, fresh));
    CHECK_FALSE(comesBefore(first, first));
  }
  released.metadata.finalizers.emplace_back(api::finalizer::host);
  CHECK(comesBefore(released, fresh));
}

TEST_CASE("a machine that a host gets its node for is no other's meanwhile", "[host][pure]") {
  host::MachineReservations reservations;
  const kube::ObjectKey a{"metal", "a"}, b{"metal", "b"};
  CHECK(reservations.holderOf("bmc x") == nullptr);
  reservations.reserve(a, {"bmc x", "mac 1"});
  reservations.reserve(b, {"mac 1", "bmc y"});
  CHECK(*reservations.holderOf("mac 1") == a);
  CHECK(*reservations.holderOf("bmc y") == b);
  reservations.reserve(a, {"bmc z"});
  CHECK(reservations.holderOf("bmc x") == nullptr);
  reservations.release(b);
  CHECK(reservations.holderOf("bmc y") == nullptr);
  CHECK(*reservations.holderOf("bmc z") == a);
}

TEST_CASE("a host that is held back is told why, and of no host of another namespace", "[host][pure]") {
  const kube::ObjectKey first{"there", "secret-host"};
  CHECK(host::whyHeldBack(made("there", "h", 2), first) ==
        "host there/secret-host names the same machine by its BMC address or boot MAC address, and comes first: this "
        "host is not registered while that one is there and names it");
  CHECK_THAT(host::whyHeldBack(made("here", "h", 2), first), Catch::StartsWith("another host names the same machine") &&
                                                                 !Catch::Contains("there/") &&
                                                                 !Catch::Contains("secret"));
  CHECK(host::whyHeldBackByUnreadable(made("there", "h", 2), first) ==
        "whether the BareMetalHost there/secret-host names the same machine is not known, because it cannot be read: "
        "correct or delete it");
  CHECK_THAT(host::whyHeldBackByUnreadable(made("here", "h", 2), first),
             Catch::StartsWith("whether a BareMetalHost of another namespace") && !Catch::Contains("there/"));
}

TEST_CASE("a machine is named by its BMC's address and by its boot MAC address", "[host][pure]") {
  auto it = aHost(State::registering).build();
  it.spec.bootMACAddress = "52:54:00:00:00:0A";
  CHECK(host::machineNames(it) ==
        std::vector<std::string>{"bmc 10.0.0.1/redfish/v1/Systems/1", "mac 52:54:00:00:00:0a"});
  it.spec.bmc.address = "redfish://10.0.0.1:443/redfish/v1/Systems/1";
  CHECK(host::machineNames(it).front() == "bmc 10.0.0.1/redfish/v1/Systems/1");
  it.spec.bmc.address = "redfish+http://10.0.0.1:443/redfish/v1/Systems/1";
  CHECK(host::machineNames(it).front() == "bmc 10.0.0.1:443/redfish/v1/Systems/1");
  it.spec.bmc.address = it.spec.bootMACAddress = "";
  CHECK(host::machineNames(it).empty());
}

}  // namespace
}  // namespace ingot::tests
