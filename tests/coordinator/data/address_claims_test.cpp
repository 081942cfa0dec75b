// Claims for addresses that somebody deletes, or takes from their data (spec/capm3.md §16.3 to §16.5).
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/data/foreign_pool.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::string withPool(const std::string& pool) {
  return fmt::format(R"({{"metaData":{{"ipAddressesFromPool":[{{"key":"ip","name":"{}"}}]}}}})", pool);
}

template <class Claim>
std::string uidOf(DataSite& site, const std::string& name) {
  const auto found = site.find<Claim>(name);
  return found ? found->metadata.uid : "";
}

}  // namespace

TEST_CASE("a claim that was refused its address can be deleted and is made anew", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle();
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.told("AddressRefused") == 1);
  site.removeMachine("m0");
  site.settle(1min);
  site.remove<IPClaim>("dt-1-prov");
  site.settle(1min);
  CHECK(site.isReady("dt-1"));
  CHECK(count({site.textOf("m1-metadata", "metaData")}, "ip: 10.0.0.10") == 1);
  CHECK(site.breaches().empty());
}

TEST_CASE("a claim of another provider's that is deleted before anything is rendered is made anew", "[data][pools]") {
  DataSite site;
  site.create(dataTemplate(kForeign));
  site.addMachine("m0");
  site.settle();
  const std::string before = uidOf<IPAddressClaim>(site, "dt-0-theirs");
  SECTION("before its answer") { site.remove<IPAddressClaim>("dt-0-theirs"); }
  SECTION("after its answer") {
    answer(site, "dt-0-theirs", "192.0.2.7");
    site.settle();
    site.remove<api::capi_ipam::IPAddress>("theirs-1");
    site.remove<IPAddressClaim>("dt-0-theirs");
  }
  site.settle(1min);
  REQUIRE(site.find<IPAddressClaim>("dt-0-theirs"));
  CHECK(uidOf<IPAddressClaim>(site, "dt-0-theirs") != before);
  answer(site, "dt-0-theirs", "192.0.2.8");
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(count({site.textOf("m0-networkdata", "networkData")}, "ip_address: 192.0.2.8") == 1);
}

TEST_CASE("a claim of another provider's whose address is in a Secret is held", "[data][pools]") {
  DataSite site;
  settleWithForeign(site);
  REQUIRE(site.isReady("dt-0"));
  const std::string before = uidOf<IPAddressClaim>(site, "dt-0-theirs");
  site.remove<IPAddressClaim>("dt-0-theirs");
  site.remove<kube::Secret>("m0-metadata");
  site.settle(10min);
  CHECK(uidOf<IPAddressClaim>(site, "dt-0-theirs") == before);
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPAddressClaim>().empty());
}

TEST_CASE("a claim of another provider's is held while a server runs with its address, Secrets or none",
          "[data][pools]") {
  DataSite site;
  settleWithForeign(site);
  REQUIRE(site.isReady("dt-0"));
  site.patch<BareMetalHost>("host-m0", R"({"spec":{"networkData":{"name":"m0-networkdata","namespace":"metal"}}})");
  const std::string before = uidOf<IPAddressClaim>(site, "dt-0-theirs");
  site.remove<IPAddressClaim>("dt-0-theirs");
  site.remove<kube::Secret>("m0-metadata");
  site.remove<kube::Secret>("m0-networkdata");
  site.settle(10min);
  CHECK(uidOf<IPAddressClaim>(site, "dt-0-theirs") == before);
  CHECK_THAT(site.find<Metal3Data>("dt-0")->status.errorMessage, Catch::Contains("is going away"));
}

TEST_CASE("a claim that other data hold is not let go when its name is wanted", "[data][pools]") {
  DataSite site;
  site.create(poolNamed("net", "10.0.0.10", "10.0.0.19"));
  site.create(poolNamed("0-net", "10.0.1.10", "10.0.1.19"));
  site.create(dataTemplate(withPool("net").c_str(), "dt-1"));
  site.create(dataTemplate(withPool("0-net").c_str()));
  site.addMachine("a", "dt-1");
  site.settle();
  REQUIRE(site.isReady("dt-1-0"));
  site.remove<IPClaim>("dt-1-0-net");  // its data hold it
  for (const char* name : {"m0", "m1"}) {
    site.addMachine(name);
    site.settle(1min);
  }
  CHECK(site.isReady("dt-0"));
  CHECK_FALSE(site.isReady("dt-1"));  // pool 0-net: the same name
  const auto claim = site.find<IPClaim>("dt-1-0-net");
  REQUIRE(claim);
  CHECK(claim->metadata.ownedBy(uidOf<Metal3Data>(site, "dt-1-0")));
  CHECK(site.find<Metal3Data>("dt-1")->status.errorMessage ==
        "waiting for addresses of IPPool 0-net (IPClaim dt-1-0-net, of other data, is going away)");
  site.removeMachine("a");
  site.settle(3min);
  CHECK(site.isReady("dt-1"));
  CHECK(site.breaches().empty());
}

TEST_CASE("a claim that somebody took from its data goes with them all the same", "[data][pools]") {
  DataSite site;
  const auto named = GENERATE(coordinator::data::NamedBy::data, coordinator::data::NamedBy::host);
  site.kill();
  site.addressClaims = named;
  site.start();
  site.settleOneMachine();
  const std::string claim = site.names<IPClaim>().at(0);
  CAPTURE(claim);
  site.patch<IPClaim>(claim, R"({"metadata":{"ownerReferences":null}})");
  site.settle();
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPClaim>().empty());
  CHECK(site.names<api::ipam::IPAddress>().empty());
  CHECK(site.names<Metal3Data>().empty());
}

TEST_CASE("a claim in deletion that nobody owns keeps its address as long as data use it", "[data][pools]") {
  DataSite site;
  site.settleOneMachine();
  site.patch<IPClaim>("dt-0-prov", R"({"metadata":{"ownerReferences":null}})");
  site.remove<IPClaim>("dt-0-prov");
  const bool loses = GENERATE(false, true);
  if (loses) site.remove<kube::Secret>("m0-metadata");
  site.settle(1min);
  CHECK(site.find<IPClaim>("dt-0-prov"));
  CHECK(site.names<api::ipam::IPAddress>().size() == 1);
  site.removeMachine("m0");
  site.settle(1min);
  CHECK(site.names<IPClaim>().empty());
  CHECK(site.names<api::ipam::IPAddress>().empty());
}

TEST_CASE("§16.3 (2) an address in deletion is used as long as its claim holds it", "[data][pools]") {
  DataSite site;
  site.settleOneMachine();
  site.remove<api::ipam::IPAddress>("prov-10-0-0-10");
  site.remove<kube::Secret>("m0-metadata");
  site.settle(1min);
  CHECK(site.isReady("dt-0"));
  CHECK(count({site.textOf("m0-metadata", "metaData")}, "ip: 10.0.0.10") == 1);
}
