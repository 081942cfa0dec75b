// A site of one host without Ironic, whose agent can be killed at any of its steps.
#pragma once

#include "kube/core/config_map.hpp"
#include "tests/bmc/fake_drives.hpp"
#include "tests/bmc/fake_ipmitool.hpp"
#include "tests/coordinator/agents/agents_only.hpp"
#include "tests/coordinator/agents/deaths.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

struct Deadly : AgentsOnly {
  explicit Deadly(std::string scheme) : protocol(std::move(scheme)) {
    bmcScheme = protocol;
    drives.add("A"), drives.add("B");
    machine().resetTypes = R"("On","ForceOff","GracefulShutdown","ForceRestart","Nmi","FullPowerCycle")";
    aroundAgent = [this](AgentBox&, AgentWorld& world) {
      world.network = &transport_;
      world.link = std::make_unique<DeadlyLink>(std::move(world.link), deaths);
      world.programs = &programs_;
    };
    drives.instead = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() != "/clear") return std::nullopt;
      log(0);
      return net::HttpResponse{.status = 204};
    };
    deaths.onStrike = [this] { keepDisk(); };
    watchJournal(box("near").journal, deaths);
    machine().before = [this](const net::ServerRequest& request) -> base::Task<void> {
      const bool changesBoot = request.path().ends_with("/Insert") || request.path().ends_with("/Eject");
      if (changesBoot && machine().powerState == "On") ++underRunningHost;
      co_return;
    };
    serveAll("near");
  }
  ~Deadly() {
    if (box("near").life) killAgent("near");
    box("near").journal.beforeSave = box("near").journal.afterSave = nullptr;
  }

  // The host is made, and is available, off and known to be.
  void settle(const std::string& patch = "{}") {
    addHost("a", "10.0.0.1", false);
    patchHost("a", patch);
    REQUIRE(until([this] { return settled("a"); }));
    pass(10s);
  }
  void settleOn() {
    settle();
    REQUIRE(isRunning());
    pass(10s);
  }
  void watch(const std::optional<Moment>& death) {
    resetsBefore = resets("10.0.0.1");
    machine().journal.clear();
    deaths.watch(death, box("near").life->alive);
  }
  // The agent dies, and another process of it takes its place.
  [[nodiscard]] bool dies() {
    if (!until([&] { return deaths.hasStruck; }, 30min)) return false;
    pass(1s);
    killAgent("near");
    putDiskBack();
    startAgent("near");
    return true;
  }

  void annotate(const std::string& name, const std::string& value) {
    json::Object annotations{{name, value}};
    patchHost("a", json::serialize(json::Object{{"metadata", json::Object{{"annotations", annotations}}}}));
  }
  bool isAnnotated(const std::string& name) { return host("a")->metadata.annotations.contains(name); }
  bool isKnown(const std::string& power) {
    return machine().powerState == power && host("a")->status.poweredOn == (power == "On") &&
           powerKnown("a") == "True" && host("a")->status.errorMessage.empty();
  }
  int resetsSince() { return resets("10.0.0.1") - resetsBefore; }
  int count(const std::string& word) {
    return static_cast<int>(std::ranges::count_if(
        machine().journal, [&](const auto& write) { return write.find(word) != std::string::npos; }));
  }
  // Entries in the machine's log, for Redfish and for IPMI.
  void log(int entries) {
    logged_ = entries;
    std::string members;
    for (int i = 1; i <= entries; ++i)
      members +=
          fmt::format(R"({}{{"Id":"{}","Created":"2026-01-01T10:{:02}:00Z","Message":"m","Severity":"Warning"}})",
                      i == 1 ? "" : ",", i, i);
    auto& documents = machine().documents;
    const std::string sel = "/redfish/v1/Systems/1/LogServices/SEL";
    documents["/logs"] = fmt::format(R"({{"Members":[{{"@odata.id":"{}"}}]}})", sel);
    documents[sel] = fmt::format(R"({{"@odata.id":"{}","LogEntryType":"SEL","Entries":{{"@odata.id":"/entries"}},)"
                                 R"("Actions":{{"#LogService.ClearLog":{{"target":"/clear"}}}}}})",
                                 sel);
    documents["/entries"] = fmt::format(R"({{"Members@odata.count":{},"Members":[{}]}})", entries, members);
    if (machine().moreOfSystem.find("LogServices") == std::string::npos)
      machine().moreOfSystem += R"(,"LogServices":{"@odata.id":"/logs"})";
  }
  // Entries that the coordinator has counted.
  int news() {
    int count = 0;
    const std::string page = metrics(), head = R"(bmh_log_entries_total{namespace="metal",host="a",)";
    for (auto at = page.find(head); at != std::string::npos; at = page.find(head, at + 1))
      count += std::stoi(page.substr(page.find("} ", at) + 2, 20));
    return count;
  }
  std::vector<kube::ConfigMap> certificates() {
    return loop.run(user().list<kube::ConfigMap>({.namespace_ = "metal"}));
  }

  const std::string protocol;
  FakeDrives drives{machine()};
  Deaths deaths{runtime};
  int underRunningHost = 0, resetsBefore = 0;

 private:
  // What its coroutines still write after its death never came to the disk.
  void keepDisk() {
    for (const auto* folder : {&box("near").journal.erasures, &box("near").journal.logs}) {
      if (!std::filesystem::exists(folder->path())) continue;
      const auto copy = copies_.path(std::to_string(kept_.size()));
      std::filesystem::create_directories(copy);
      std::filesystem::copy(folder->path(), copy, std::filesystem::copy_options::recursive);
      kept_.emplace_back(folder->path(), copy);
    }
  }
  void putDiskBack() {
    for (const auto& [folder, copy] : std::exchange(kept_, {})) {
      std::filesystem::remove_all(folder);
      std::filesystem::copy(copy, folder, std::filesystem::copy_options::recursive);
    }
  }

  int logged_ = 0;
  DeadlyTransport transport_{network, deaths};
  DeadlyProcesses programs_{[this](const auto& spec) { return answerOfIpmitool(machine(), spec, logged_); }, deaths};
  TemporaryFolder copies_;
  std::vector<std::pair<std::string, std::string>> kept_;
};

}  // namespace ingot::tests
