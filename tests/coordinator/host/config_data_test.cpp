#include "coordinator/host/config_data.hpp"

#include "coordinator/host/image_auth.hpp"
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

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

TEST_CASE("user data that is not there is an error that is tried again", "[host][config]") {
  Bench missing(deploying());
  CHECK_THROWS_AS(missing.pass(), host::ProvisionerError);
  Bench wrongKey(deploying());
  wrongKey.cluster.add("user", {{"other", "x"}});
  CHECK_THROWS_WITH(wrongKey.pass(), "Secret user does not contain key userData");
}

TEST_CASE("a Secret of another namespace is out of reach", "[host][config]") {
  Bench b(deploying().with([](auto& h) { h.spec.userData->namespace_ = "elsewhere"; }));
  CHECK_THROWS_WITH(b.pass(), "userData secret must be in same namespace as host metal/a");
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
