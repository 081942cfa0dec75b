// A site without Ironic: one machine with a virtual CD drive, which agents alone look after.
#pragma once

#include "tests/coordinator/agents/one_host.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

namespace ingot::tests {

using namespace std::chrono_literals;

inline const std::string live = "http://images/live.iso";

struct AgentsOnly : OneHost {
  explicit AgentsOnly(With backend = With::agent) : OneHost(backend) { addBmc("10.0.0.1").hasMedia = true; }

  void rest() { restingHost(*this); }
  void provision(const std::string& url = live, const std::string& format = "live-iso") {
    patchHost("a", fmt::format(R"({{"spec":{{"online":true,"image":{{"url":"{}","format":"{}"}}}}}})", url, format));
  }
  // Index of the first write of the BMC since `from` that holds this word; the number of writes where there is none.
  std::size_t at(const std::string& word, std::size_t from = 0) {
    const auto& journal = machine().journal;
    const auto found = std::find_if(journal.begin() + static_cast<std::ptrdiff_t>(from), journal.end(),
                                    [&](const auto& write) { return write.find(word) != std::string::npos; });
    return static_cast<std::size_t>(found - journal.begin());
  }
  bool isRunning() {
    setOnline("a", true);
    return until([&] { return machine().powerState == "On" && host("a")->status.poweredOn; });
  }
};

}  // namespace ingot::tests
