// Secrets that a host has ceased to name: they can be deleted again.
#include "coordinator/host/secret_users.hpp"

#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;

bool held(World& w, const std::string& secret) { return !w.secret(secret)->metadata.finalizers.empty(); }

void provision(World& w, const std::string& credentials, const std::string& networkData = "") {
  auto it = aHost(State::none).online().image("http://i/a").build();
  it.spec.bmc.credentialsName = credentials;
  it.spec.preprovisioningNetworkDataName = networkData;
  w.create(it);
  w.settle(5s);
}

TEST_CASE("a host keeps the credentials that worked last until the new ones do", "[host][secrets]") {
  auto before = aHost(State::provisioned).build();
  before.spec.preprovisioningNetworkDataName = "net";
  before.status.goodCredentials.credentials = {.name = "bmc", .namespace_ = "metal"};
  auto after = before;
  CHECK(host::noLongerKept(before, after).empty());
  after.spec.bmc.credentialsName = "newer";
  after.spec.preprovisioningNetworkDataName.clear();
  CHECK(host::noLongerKept(before, after) == std::vector<std::string>{"net"});
  auto verified = after;
  verified.status.goodCredentials.credentials->name = "newer";
  CHECK(host::noLongerKept(after, verified) == std::vector<std::string>{"bmc"});
}

TEST_CASE("credentials that were never good are let go when the host names others", "[host][secrets]") {
  World w;
  w.createSecret("broken", {{"username", "admin"}});
  provision(w, "broken");
  REQUIRE(held(w, "broken"));
  w.patch(R"({"spec":{"bmc":{"credentialsName":"bmc"}}})");
  REQUIRE(w.reaches("provisioned"));
  CHECK_FALSE(held(w, "broken"));
  CHECK(held(w, "bmc"));
}

TEST_CASE("a host that goes lets go of the credentials that worked last, though it names others", "[host][secrets]") {
  World w;
  w.createSecret("broken", {{"username", "admin"}});
  provision(w, "bmc");
  REQUIRE(w.reaches("provisioned"));
  w.patch(R"({"spec":{"bmc":{"credentialsName":"broken"}}})");
  w.settle(10s);
  REQUIRE(held(w, "bmc"));
  w.remove();
  REQUIRE(w.vanishes());
  w.settle(10s);
  for (const char* name : {"bmc", "broken"}) {
    const bool collected = !w.secret(name);  // with its owner
    CHECK((collected || !held(w, name)));
  }
}

TEST_CASE("former network data of the ramdisk is let go, also by a controller that did not see the change",
          "[host][secrets]") {
  World w;
  for (const char* name : {"net1", "net2"}) w.createSecret(name, {{"networkData", "links: []"}});
  provision(w, "bmc", "net1");
  REQUIRE(w.reaches("provisioned"));
  REQUIRE(held(w, "net1"));
  const bool unseen = GENERATE(false, true);
  INFO("unseen: " << unseen);
  if (unseen) w.kill();
  w.patch(R"({"spec":{"preprovisioningNetworkDataName":"net2"}})");
  if (unseen) w.start();
  w.settle(10s);
  CHECK_FALSE(held(w, "net1"));
  CHECK(held(w, "net2"));
}

TEST_CASE("the Secrets of a host that cannot be read are kept until it is gone", "[host][secrets]") {
  World w;
  w.createSecret("net", {{"networkData", "links: []"}});
  provision(w, "bmc", "net");
  REQUIRE(w.reaches("provisioned"));
  w.kill();
  w.patch(R"({"metadata":{"finalizers":null}})");
  w.remove();  // no list shows it any more
  w.unreadableHosts = {{"metal", "a"}};
  w.start();
  w.settle(10s);
  REQUIRE(w.secret("bmc"));
  REQUIRE(w.secret("net"));
  CHECK(held(w, "bmc"));
  CHECK(held(w, "net"));
  w.kill();
  w.unreadableHosts.clear();
  w.start();
  w.settle(10s);
  const auto collected = !w.secret("bmc");  // with its owner
  CHECK((collected || !held(w, "bmc")));
  CHECK_FALSE(held(w, "net"));
}

TEST_CASE("a host that goes lets go of no Secret while another one of its namespace cannot be read",
          "[host][secrets]") {
  World w;
  for (const char* name : {"net", "other"})
    w.createSecret(name, {{"username", "admin"}, {"password", "p"}, {"networkData", "links: []"}});
  provision(w, "bmc", "net");
  REQUIRE(w.reaches("provisioned"));
  w.kill();
  w.unreadableHosts = {{"metal", "b"}};
  w.start();
  w.settle(10s);
  w.remove();
  REQUIRE(w.vanishes());
  w.settle(10s);
  for (const char* name : {"bmc", "net"}) {
    REQUIRE(w.secret(name));
    CHECK(held(w, name));
  }
  CHECK(std::ranges::count(w.eventReasons(), "SecretNotReleased") == 2);
  CHECK(std::ranges::count(w.events(),
                           "the Secret net keeps the finalizer baremetalhost.metal3.io/secret: a host of this "
                           "namespace cannot be read, and may need it",
                           &kube::Event::message) == 1);
  const bool restarted = GENERATE(false, true);  // while it cannot be read
  const bool unseen = GENERATE(false, true);
  INFO("restarted: " << restarted << ", unseen: " << unseen);
  if (restarted) {
    w.kill();
    w.start();
    w.settle(10s);
    CHECK(held(w, "net"));
  }
  w.unreadableHosts.clear();
  if (unseen) w.kill();
  auto other = aHost(State::none).build();
  other.metadata.name = "b";
  other.spec.bmc.credentialsName = "other";
  w.create(other);  // there it is
  if (unseen) w.start();
  w.settle(1min);
  const bool collected = !w.secret("bmc");  // with its owner
  CHECK((collected || !held(w, "bmc")));
  CHECK_FALSE(held(w, "net"));
  CHECK(held(w, "other"));
}

TEST_CASE("a Secret of nobody that the API fails to let go at the start is let go later", "[host][secrets]") {
  World w;
  for (const char* name : {"net1", "net2"}) w.createSecret(name, {{"networkData", "links: []"}});
  provision(w, "bmc", "net1");
  REQUIRE(w.reaches("provisioned"));
  w.kill();
  w.patch(R"({"spec":{"preprovisioningNetworkDataName":"net2"}})");
  w.failing = [](const net::ServerRequest& request) {
    return request.method == "PATCH" && request.path().ends_with("/secrets/net1");
  };
  w.start();
  w.settle(5min);
  CHECK(held(w, "net1"));
  CHECK(held(w, "net2"));
  w.failing = nullptr;
  w.settle(10min);
  CHECK_FALSE(held(w, "net1"));
}

}  // namespace
}  // namespace ingot::tests
