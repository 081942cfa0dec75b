#include "coordinator/host/config_data.hpp"

#include "coordinator/host/image_auth.hpp"
#include "coordinator/host/secret_users.hpp"
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;

HostBuilder deploying() {
  return aHost(State::provisioning).online().image("u").with([](auto& h) {
    h.spec.userData = api::SecretReference{.name = "user"};
  });
}

TEST_CASE("user data comes from its own key, else from value", "[host][config]") {
  Bench b(deploying());
  b.cluster.add("user", {{"value", "fallback"}});
  b.pass();
  CHECK(b.script.userData == "fallback");
  Bench own(deploying());
  own.cluster.add("user", {{"value", "fallback"}, {"userData", "own"}});
  own.pass();
  CHECK(own.script.userData == "own");
}

HostBuilder aboutToBeProvisioned() { return aHost(State::available).online().image("u"); }

TEST_CASE("a host whose config data cannot be had says so and waits where nothing has begun", "[host][config]") {
  struct Row {
    std::string what;
    std::function<void(api::BareMetalHost&)> names;
    std::string message;
  };
  const Row row = GENERATE(values<Row>({
      {"user data", [](auto& h) { h.spec.userData = api::SecretReference{.name = "no"}; },
       "userData secret metal/no does not exist"},
      {"meta data", [](auto& h) { h.spec.metaData = api::SecretReference{.name = "no"}; },
       "metaData secret metal/no does not exist"},
      {"network data", [](auto& h) { h.spec.networkData = api::SecretReference{.name = "no"}; },
       "networkData secret metal/no does not exist"},
      {"a Secret without the key", [](auto& h) { h.spec.userData = api::SecretReference{.name = "other"}; },
       "Secret other does not contain key userData"},
      {"a Secret of another namespace",
       [](auto& h) { h.spec.metaData = api::SecretReference{.name = "other", .namespace_ = "elsewhere"}; },
       "metaData secret must be in same namespace as host metal/a"},
  }));
  INFO(row.what);
  Bench b(aboutToBeProvisioned().with(row.names));
  b.cluster.add("other", {{"other", "x"}});
  const auto again = b.pass();
  CHECK(b.state() == State::available);
  CHECK(b.it.status.errorType == "provisioning error");
  CHECK(b.it.status.errorMessage == row.message);
  CHECK(b.told("ProvisioningError"));
  CHECK(again.value() <= 12s);
  b.pass();
  CHECK_FALSE(b.told("ProvisioningError"));  // once
  CHECK(b.it.status.errorCount == 1);
  CHECK(b.script.count("provision") == 0);
}

TEST_CASE("a host goes on as soon as its config data is there, or is not wanted any more", "[host][config]") {
  Bench there(aboutToBeProvisioned().with([](auto& h) { h.spec.userData = api::SecretReference{.name = "user"}; }));
  there.pass();
  REQUIRE(there.failed());
  there.cluster.add("user", {{"userData", "x"}});
  there.pass();
  CHECK(there.state() == State::provisioning);
  CHECK_FALSE(there.failed());

  Bench withdrawn(aboutToBeProvisioned().with([](auto& h) { h.spec.userData = api::SecretReference{.name = "user"}; }));
  withdrawn.pass();
  REQUIRE(withdrawn.failed());
  withdrawn.it.spec.image.reset();
  withdrawn.pass();
  CHECK_FALSE(withdrawn.failed());
}

TEST_CASE("a live ISO gets no config data, and waits for none", "[host][config]") {
  Bench b(aboutToBeProvisioned().with([](auto& h) {
    h.spec.userData = api::SecretReference{.name = "no"};
    h.spec.image->format = "live-iso";
  }));
  b.pass();
  CHECK(b.state() == State::provisioning);
}

TEST_CASE("a Secret that goes away during provisioning fails the deployment", "[host][config]") {
  Bench b(deploying());
  b.pass();
  CHECK(b.it.status.errorMessage == "userData secret metal/user does not exist");
  CHECK(b.it.status.errorType == "provisioning error");
  b.pass();
  CHECK(b.state() == State::deprovisioning);
}

TEST_CASE("every Secret that a host names leads to it", "[host][config]") {
  const auto named = host::secretsNamedBy(aboutToBeProvisioned().with([](auto& h) {
    h.spec.bmc.credentialsName = "bmc";
    h.spec.preprovisioningNetworkDataName = "ramdisk";
    h.spec.userData = api::SecretReference{.name = "user", .namespace_ = "metal"};
    h.spec.metaData = api::SecretReference{.name = "meta", .namespace_ = "elsewhere"};
    h.spec.networkData = api::SecretReference{.name = "network"};
    h.spec.image->ociAuthSecretName = "pull";
  }));
  std::string names;
  for (const auto& key : named) names += key.text() + " ";
  CHECK(names == "metal/bmc metal/ramdisk metal/user metal/network metal/pull ");
}

TEST_CASE("an API that does not hand out the network data holds up nobody but a host on its way out",
          "[host][config]") {
  Bench b(aHost(State::available).with([](auto& h) { h.spec.preprovisioningNetworkDataName = "net"; }));
  b.cluster.refusal = "the API is busy";
  const auto claim = [&] { b.loop.run(host::claimPreprovisioningNetworkData(b.it, b.cluster, base::Log::silent())); };
  CHECK_NOTHROW(claim());
  b.it.metadata.deletionTimestamp = b.loop.clock.wall();
  CHECK_THROWS_AS(claim(), kube::Error);
}

TEST_CASE("a registry's credentials are found under each name it goes by", "[host][config]") {
  using host::credentialsFor;
  const auto found = [](const std::string& registry, const std::string& document, bool legacy = false) {
    return credentialsFor(registry, base::Secret(document), legacy).credentials.reveal();
  };
  CHECK(host::registryOf("oci://registry.example:5000/os:1") == "registry.example:5000");
  CHECK(host::registryOf("oci://docker.io/os") == "index.docker.io");
  CHECK(host::registryOf("oci://").empty());
  CHECK(found("r:5000", R"({"auths":{"r:5000":{"auth":"dTpw"}}})") == "u:p");
  CHECK(found("r", R"({"auths":{"r":{"username":"u","password":"p"}}})") == "u:p");
  CHECK(found("index.docker.io", R"({"auths":{"https://index.docker.io/v1/":{"auth":"dTpw"}}})") == "u:p");
  CHECK(found("r", R"({"r":{"auth":"dTpw"}})", true) == "u:p");
  CHECK_FALSE(credentialsFor("other", base::Secret(R"({"auths":{"r":{"auth":"dTpw"}}})"), false).problem.empty());
  CHECK_FALSE(credentialsFor("r", base::Secret("nonsense"), false).problem.empty());
}

}  // namespace
}  // namespace ingot::tests
