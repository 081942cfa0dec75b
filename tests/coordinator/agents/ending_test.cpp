// A coordinator ends when a part that it needs has ended: one that only answers /readyz looks alive, and nothing
// restarts it.
#include "coordinator/coordinator.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

class BreakingLink final : public wire::CoordinatorLink {
 public:
  explicit BreakingLink(base::Clock& clock) : clock_(clock) {}
  base::Task<wire::Incoming> receive() override {
    co_await clock_.sleepFor(10s);
    throw std::runtime_error("the socket is gone");
  }
  bool send(const std::string&, std::string) override { return false; }
  std::string endpoint() const override { return "memory"; }
  void admit(std::function<bool(const std::string&)>) override {}

 private:
  base::Clock& clock_;
};

}  // namespace

TEST_CASE("a coordinator that can no longer listen to agents ends with the reason", "[coordinator]") {
  Loop loop;
  net::Loopback network(loop.runtime);
  coordinator::Options options;
  options.embedded = true;
  options.listen.clear();
  options.provisioner = coordinator::Backend::fixture;
  options.healthAddress = options.metricsAddress = "0";
  coordinator::Coordinator coordinator(
      loop.runtime, options,
      {.transport = network,
       .environment = [](std::string_view) { return std::optional<std::string>(); },
       .bindLink =
           [](base::Runtime runtime, wire::CoordinatorSocket socket) {
             CHECK(socket.waitsForJudge);  // nobody is let in before it is known who is approved
             return std::make_unique<BreakingLink>(runtime.clock);
           },
       .store = {.commit = apiserver::StoreOptions::Commit::inLine}});
  CHECK_THROWS_WITH(loop.run(coordinator.run()), "the socket is gone");
}
