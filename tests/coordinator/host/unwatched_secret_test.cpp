// A BMC Secret that carries another value of the environment label keeps it (spec/baremetalhost.md §5.3). Its content
// is never given to an agent, so nothing may wait for an agent to try it.
#include "coordinator/host/kube_cluster.hpp"
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::State;

// An agent that has not tried the credentials yet.
class UnsureAgent final : public host::PowerActor {
 public:
  base::Task<host::PowerReading> read(const host::PoweredHost& host, host::PowerBackend& backend) override {
    return backend_.read(host, backend);
  }
  base::Task<host::Progress> turnOn(const host::PoweredHost& host, host::PowerBackend& backend,
                                    host::PowerOn how) override {
    return backend_.turnOn(host, backend, how);
  }
  base::Task<host::Progress> turnOff(const host::PoweredHost& host, host::PowerBackend& backend,
                                     host::PowerOff how) override {
    return backend_.turnOff(host, backend, how);
  }
  void restartRecorded(const host::PoweredHost& host) override { backend_.restartRecorded(host); }
  std::string whyNotNow(const host::PoweredHost& host, bmc::PowerAction action) override {
    return backend_.whyNotNow(host, action);
  }
  void willAskOnce(const std::string&, bmc::PowerAction) override {}
  void askOnce(const std::string&, bmc::PowerAction) override {}
  std::optional<Ended> endedOnce(const std::string&, bool) override { return std::nullopt; }
  void toldOnce(const std::string&) override {}
  base::Task<host::Progress> checkAccess(const host::PoweredHost&) override {
    co_return host::Working{std::chrono::seconds(2)};
  }
  base::Task<bool> hasFailure(const host::PoweredHost& host, host::PowerBackend& backend) override {
    return backend_.hasFailure(host, backend);
  }

 private:
  host::ProvisionerPower backend_;
};

TEST_CASE("a Secret is watched by its label alone", "[host][credentials]") {
  kube::Secret secret;
  CHECK_FALSE(host::contentOf(secret).watched);
  secret.metadata.labels["environment.metal3.io"] = "other";
  CHECK_FALSE(host::contentOf(secret).watched);
  secret.metadata.labels["environment.metal3.io"] = "baremetal";
  CHECK(host::contentOf(secret).watched);
}

TEST_CASE("a host waits for its agent to try new credentials, unless the agent never gets them",
          "[host][credentials]") {
  for (const bool watched : {true, false}) {
    Bench b(aHost(State::registering));
    b.access->secretVersion = "2";
    b.access->watched = watched;
    UnsureAgent power;
    ScriptedBackend backend(b.script);
    host::Scope scope{b.it,
                      b.access,
                      backend,
                      power,
                      b.cluster,
                      b.journal,
                      b.held,
                      b.policy,
                      b.loop.clock.wall(),
                      base::Log::silent()};
    static_cast<void>(b.loop.run(host::runMachine(scope)));
    CHECK(b.script.count("register") == (watched ? 0 : 1));
  }
}

}  // namespace
}  // namespace ingot::tests
