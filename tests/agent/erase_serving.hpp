// An agent that serves a host with two drives.
#pragma once

#include "base/file.hpp"
#include "json/describe.hpp"
#include "tests/agent/fixture.hpp"
#include "tests/bmc/fake_drives.hpp"

namespace ingot::tests {

// What a process that starts now would find of the host.
inline bmc::ErasureRecord erasureOnDisk(const std::string& folder) {
  const auto text = base::readFileIfExists(folder + "/u1.json");
  return text ? json::decode<bmc::ErasureRecord>(json::parse(*text)) : bmc::ErasureRecord{};
}

struct EraseServing : Serving {
  EraseServing() { drives.add("A"), drives.add("B"); }
  wire::EraseRequest request(wire::Token token, const std::string& job = "1") const {
    return {.host = "u1", .token = token, .job = job, .machineSerial = "S1", .depth = "crypto", .known = {"A", "B"}};
  }
  [[nodiscard]] bool isOver(std::size_t from = 0) const {
    const auto reports = all<wire::EraseReport>();
    return std::any_of(reports.begin() + static_cast<std::ptrdiff_t>(from), reports.end(),
                       [](const auto& report) { return report.outcome != "running"; });
  }
  // How it ended.
  wire::EraseReport ask(const wire::EraseRequest& request) {
    const auto from = all<wire::EraseReport>().size();
    say(request);
    if (!clock.advanceUntil([&] { return isOver(from); }, std::chrono::minutes(30)))
      throw std::runtime_error("no end came");
    return all<wire::EraseReport>().back();
  }
  // As the same agent after its process has ended, wherever it was.
  void restart(std::int64_t lease) {
    stop();
    heard.clear();
    start();
    greet();
    say(grant({5, lease, 0}));
  }
  void startAgain(std::int64_t lease = 2) {
    restart(lease);
    clock.advance(std::chrono::seconds(1));
  }

  FakeDrives drives{bmc};
};

}  // namespace ingot::tests
