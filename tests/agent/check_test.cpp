// ingot-agent --check.
#include "agent/check.hpp"

#include "base/file.hpp"
#include "base/sync.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"
#include "wire/codec.hpp"
#include "wire/memory_link.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

class Ipmitool final : public base::ProcessRunner {
 public:
  bool isThere = true;
  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    if (!isThere || spec.argv != std::vector<std::string>{"ipmitool", "-V"}) throw base::Error("no such program");
    base::ProcessResult result;
    result.exitCode = 0;
    result.standardOutput = "ipmitool version 1.8.19\n";
    co_return result;
  }
};

struct CheckBench : Loop {
  CheckBench() : wires(runtime), coordinator(wires.coordinator()) {
    base::writeFileAtomically(folder.path("server.pub"), std::string(40, 's') + "\n");
    options = {.server = "tcp://10.0.0.1:7460",
               .serverKey = folder.path("server.pub"),
               .dataDir = folder.path("data"),
               .name = "near"};
    base::makeFolder(options.dataDir);
    pump.spawn("coordinator", answer());
  }
  ~CheckBench() { run(pump.close()); }

  base::Task<void> answer() {
    while (true) {
      const auto incoming = co_await coordinator->receive();
      heard.push_back(*wire::decode(incoming.bytes));
      if (answers) coordinator->send(incoming.peer, wire::encode(wire::Welcome{.state = "pending", .sayHello = true}));
    }
  }
  agent::Exit check(bool isRunning = false) {
    const agent::CheckWorld world{runtime, ipmitool, [this](const wire::AgentSocket& socket) {
                                    asked = socket;
                                    return wires.agent(socket.keys.publicKey);
                                  }};
    return agent::reportOf(run(agent::check(world, options, isRunning)));
  }

  TemporaryFolder folder;
  wire::MemoryNetwork wires;
  std::unique_ptr<wire::CoordinatorLink> coordinator;
  bool answers = true;
  std::vector<wire::Message> heard;
  std::optional<wire::AgentSocket> asked;
  Ipmitool ipmitool;
  agent::Options options;
  base::TaskGroup pump{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("where nothing is amiss each part is told, and the coordinator was only greeted") {
  CheckBench bench;
  const auto report = bench.check();
  CHECK(report.code == 0);
  CHECK(report.text.find("trouble") == std::string::npos);
  const auto keys = wire::loadOrCreateKeyPair(bench.options.dataDir + "/agent");
  for (const auto& words :
       {wire::fingerprint(keys.publicKey), std::string("ingotctl agents approve near --fingerprint 'SHA256:"),
        std::string("ipmitool version 1.8.19; they have no virtual media, pushed events, erasure of drives, "),
        std::string("0 hosts"), std::string("the coordinator at tcp://10.0.0.1:7460 answers")})
    CHECK_THAT(report.text, Catch::Contains(words));
  CHECK(report.text.find(keys.secretKey.reveal()) == std::string::npos);
  REQUIRE(bench.heard.size() == 1);
  CHECK(std::holds_alternative<wire::Heartbeat>(bench.heard.front()));  // no hello: it would be granted hosts
  CHECK(bench.asked->serverPublicKey == std::string(40, 's'));
}

TEST_CASE("a coordinator that does not answer is told after five seconds") {
  CheckBench bench;
  bench.answers = false;
  const auto begin = bench.clock.now();
  const auto report = bench.check();
  CHECK(bench.clock.now() - begin == 5s);
  CHECK(report.code == 1);
  CHECK_THAT(report.text,
             Catch::Contains("trouble: the coordinator at tcp://10.0.0.1:7460 does not answer within 5 s"));
}

TEST_CASE("beside an agent that runs its link is left alone") {
  CheckBench bench;
  CHECK(bench.check(true).code == 0);
  CHECK(bench.heard.empty());
}

TEST_CASE("each thing that is amiss is named") {
  CheckBench bench;
  std::string words;
  SECTION("no key of the coordinator") {
    bench.options.serverKey = bench.folder.path("missing.pub");
    words = "missing.pub";
  }
  SECTION("no authority for BMCs") {
    bench.options.caFile = bench.folder.path("missing.pem");
    words = "missing.pem";
  }
  SECTION("an authority that is none") {
    bench.options.caFile = bench.folder.path("server.pub");
    words = "holds no PEM certificate";
  }
  SECTION("no certificate for the events of BMCs") {
    bench.options.eventsUrl = "https://10.0.0.9:7463";
    bench.options.eventsCertFile = bench.options.eventsKeyFile = bench.folder.path("missing.pem");
    words = "missing.pem";
  }
  SECTION("one that is none") {
    bench.options.eventsUrl = "https://10.0.0.9:7463";
    bench.options.eventsCertFile = bench.options.eventsKeyFile = bench.folder.path("server.pub");
    words = "trouble: ";
  }
  SECTION("no ipmitool") {
    bench.ipmitool.isThere = false;
    words = "ipmitool does not run";
  }
  SECTION("a journal that cannot be read") {
    base::makeFolder(bench.options.dataDir + "/journal");
    base::writeFileAtomically(bench.options.dataDir + "/journal/u1.json", "{");
    words = "the journal of u1 cannot be read";
  }
  const auto report = bench.check();
  CHECK(report.code == 1);
  CHECK_THAT(report.text, Catch::Contains("trouble: ") && Catch::Contains(words));
}
