#include "coordinator/host/credentials.hpp"

#include "tests/coordinator/host/hosts.hpp"
#include "tests/coordinator/host/memory_cluster.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

struct Desk {
  Loop loop;
  MemoryCluster cluster;
  BmcAccessOrProblem find(const api::BareMetalHost& host) { return loop.run(findBmcAccess(host, cluster)); }
  std::string problem(const api::BareMetalHost& host) { return std::get<CredentialsProblem>(find(host)).message; }
};

TEST_CASE("white space around user and password is dropped", "[host][credentials]") {
  Desk desk;
  desk.cluster.add("bmc", {{"username", " admin\n"}, {"password", "\tsecret \n"}}, "7");
  const auto access = std::get<BmcAccess>(desk.find(aHost(State::registering)));
  CHECK(access.credentials.username == "admin");
  CHECK(access.credentials.password.reveal() == "secret");
  CHECK(access.secretVersion == "7");
  CHECK(desk.cluster.claimed == std::set<std::string>{"bmc"});
}

TEST_CASE("each way in which a BMC Secret can be wrong has its words", "[host][credentials]") {
  Desk desk;
  CHECK(desk.problem(aHost(State::registering)) ==
        "BMC CredentialsName secret doesn't exist The BMC secret metal/bmc does not exist");
  desk.cluster.add("bmc", {{"password", "x"}});
  CHECK(desk.problem(aHost(State::registering)) ==
        "Validation error with BMC credentials: Missing BMC connection detail 'username' in credentials");
  desk.cluster.add("bmc", {{"username", "x"}, {"password", " \n"}});
  CHECK(desk.problem(aHost(State::registering)) ==
        "Validation error with BMC credentials: Missing BMC connection details 'password' in credentials");
  desk.cluster.add("bmc", {{"username", "x"}, {"password", std::string(2000, 'y')}});
  CHECK(desk.problem(aHost(State::registering)) ==
        "Validation error with BMC credentials: 'username' and 'password' may have 1024 bytes each");
  desk.cluster.add("bmc", {{"username", "x"}, {"password", "y"}});
  CHECK(desk.problem(aHost(State::registering).with([](auto& h) { h.spec.bmc.address.clear(); })) ==
        "Empty BMC address Missing BMC connection detail 'Address'");
  CHECK(desk.problem(aHost(State::registering).with([](auto& h) { h.spec.bmc.credentialsName.clear(); })) ==
        "No BMC CredentialsName defined The BMC secret reference is empty");
}

TEST_CASE("only a missing Secret is looked for again: a change of a present one wakes the host",
          "[host][credentials]") {
  Desk desk;
  CHECK(std::get<CredentialsProblem>(desk.find(aHost(State::registering))).retryAfter == std::chrono::seconds(10));
  desk.cluster.add("bmc", {});
  CHECK_FALSE(std::get<CredentialsProblem>(desk.find(aHost(State::registering))).retryAfter);
}

TEST_CASE("a host in its last state does not hold its Secret again", "[host][credentials]") {
  Desk desk;
  desk.cluster.add("bmc", {{"username", "a"}, {"password", "b"}});
  static_cast<void>(desk.find(aHost(State::deleting)));
  CHECK(desk.cluster.claimed.empty());
}

TEST_CASE("a host on its way out does without the claim, or the Secret, that the API refuses it",
          "[host][credentials]") {
  const auto code = GENERATE(kube::Error::Code::forbidden, kube::Error::Code::invalid);
  const auto leaving = aHost(State::deprovisioning).beingDeleted();
  Desk desk;
  desk.cluster.add("bmc", {{"username", "a"}, {"password", "b"}});
  desk.cluster.claimsRefused = code;
  CHECK(std::get<BmcAccess>(desk.find(leaving)).credentials.username == "a");
  desk.cluster.readsRefused = code;
  CHECK(desk.problem(leaving) == "the BMC Secret bmc cannot be read: refused");

  CHECK_THROWS_AS(desk.find(aHost(State::deprovisioning)), kube::Error);
  desk.cluster.claimsRefused = kube::Error::Code::conflict;
  CHECK_THROWS_AS(desk.find(leaving), kube::Error);
  desk.cluster.claimsRefused = kube::Error::Code::unavailable;
  CHECK_THROWS_AS(desk.find(leaving), kube::Error);
}

TEST_CASE("a host on its way out reads the Secret whose claim fails inside the API", "[host][credentials]") {
  const auto leaving = aHost(State::deprovisioning).beingDeleted();
  Desk desk;
  desk.cluster.add("bmc", {{"username", "a"}, {"password", "b"}});
  desk.cluster.claimsRefused = kube::Error::Code::internal;
  CHECK(std::get<BmcAccess>(desk.find(leaving)).credentials.username == "a");
  CHECK_THROWS_AS(desk.find(aHost(State::deprovisioning)), kube::Error);
  desk.cluster.readsRefused = kube::Error::Code::internal;
  CHECK_THROWS_AS(desk.find(leaving), kube::Error);
}

TEST_CASE("the same trouble is counted and told once", "[host][credentials]") {
  auto host = aHost(State::registering).build();
  const CredentialsProblem problem{CredentialsTrouble::missing, "no Secret", {}};
  Journal first, second;
  recordCredentialsProblem(host, first, problem);
  recordCredentialsProblem(host, second, problem);
  CHECK(host.status.errorCount == 1);
  CHECK(host.status.errorType == "registration error");
  CHECK(first.events().size() == 1);
  CHECK(second.events().empty());
}

}  // namespace
}  // namespace ingot::tests
