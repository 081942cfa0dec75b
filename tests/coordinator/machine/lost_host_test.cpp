// spec/capm3.md §9 and §10 against an API: which hosts a machine does not take, and what becomes of one that loses its
// host.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* kRival = R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"rival",)"
                               R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1"}}})";
constexpr const char* kOther = R"({"spec":{"image":{"url":"http://images/other.raw","checksum":"c"}}})";

void linkedTo(Metal3Machine& machine, const std::string& host) {
  machine.metadata.annotations["metal3.io/BareMetalHost"] = host;
}

}  // namespace

TEST_CASE("a host that runs something else is nobody's choice", "[machine][lost]") {
  MachineSite site;
  const std::string work = GENERATE(as<std::string>(), R"({"image":{"url":"http://images/other.raw","checksum":"c"}})",
                                    R"({"customDeploy":{"method":"x"}})", R"({"externallyProvisioned":true})");
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"spec":)" + work + "}");
  site.addMachine("m1");
  site.settle();
  CHECK(site.consumer("h1").empty());
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("1 host: 1 provisioned for something else"));
  site.addHost("h2");
  site.settle(40s);
  CHECK(site.hostOf("m1") == "h2");
}

TEST_CASE("a host that is told to run something else while it is chosen is not claimed", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  bool told = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (told || request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    told = true;
    co_await site.patchMeanwhile<BareMetalHost>("h1", kOther);
  };
  site.addMachine("m1");
  site.settle(1min);
  REQUIRE(told);
  CHECK(site.consumer("h1").empty());
}
