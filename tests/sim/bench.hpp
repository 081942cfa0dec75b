// One simulated machine with its Redfish service and the ramdisk host, in memory, under a manual clock.
#pragma once

#include "net/loopback.hpp"
#include "sim/machine/machine.hpp"
#include "sim/ramdisk/host.hpp"
#include "sim/redfish/service.hpp"
#include "tests/support/loop.hpp"

#include <unistd.h>
#include <filesystem>
#include <string>

namespace ingot::tests {

using namespace std::chrono_literals;

inline constexpr auto systemPath = "/redfish/v1/Systems/1";

struct ScratchFolder {
  std::string path = "/tmp/ingot-sim-test-XXXXXX";
  ScratchFolder() {
    if (!::mkdtemp(path.data())) throw std::runtime_error("mkdtemp failed");
  }
  ~ScratchFolder() { std::filesystem::remove_all(path); }
};

struct SimBench : Loop {
  explicit SimBench(sim::MachineSpec spec = {})
      : machine(runtime, sim::completed(std::move(spec), 0), journal, tasks, folder.path),
        service(runtime, machine, journal, {&transport, &tasks}),
        ramdisks(runtime, transport, journal, tasks) {
    machine.listen(&ramdisks);
    ramdisks.serveAt("http://front", "http://front/agent");
    transport.serve("https://bmc", service);
    client = transport.connect({.baseUrl = "https://bmc", .userAgent = "ingot-agent"});
  }
  ~SimBench() {
    client.reset();
    run(tasks.close());
  }

  net::HttpResponse send(std::string method, std::string target, std::string body = {}, net::Headers headers = {}) {
    if (!headers.find("Authorization") && !headers.find("X-Auth-Token") && !anonymous)
      headers.set("Authorization", "Basic YWRtaW46aW5nb3Qtc2lt");  // admin:ingot-sim
    return run(client->send({.method = std::move(method),
                             .target = std::move(target),
                             .headers = std::move(headers),
                             .body = std::move(body)}));
  }
  json::Value get(std::string target) { return json::parse(send("GET", std::move(target)).body); }
  int reset(const std::string& type) {
    return send("POST", "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", R"({"ResetType":")" + type + R"("})")
        .status;
  }
  std::string power() { return json::textAt(get("/redfish/v1/Systems/1"), {"PowerState"}); }
  void pass(base::Duration time) { clock.advance(time); }

  // "action detail" of every request that changed something.
  std::vector<std::string> changes() {
    std::vector<std::string> all;
    for (const auto& entry : journal.since(0))
      if (entry.kind == "request") all.push_back(entry.action + " " + entry.detail);
    return all;
  }

  ScratchFolder folder;
  sim::Journal journal{clock};
  base::TaskGroup tasks{runtime.executor, runtime.log};
  net::Loopback transport{runtime};
  sim::Machine machine;
  sim::redfish::Service service;
  sim::ramdisk::Host ramdisks;
  std::unique_ptr<net::HttpClient> client;
  bool anonymous = false;
};

}  // namespace ingot::tests
