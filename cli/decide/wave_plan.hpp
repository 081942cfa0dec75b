// Many hosts, so many at a time: a power distribution unit survives that, and a mistake meets a few hosts, not all.
// Pure.
#pragma once

#include "cli/command/command.hpp"

#include <string>
#include <vector>

namespace ingot::cli {

class WavePlan {
 public:
  WavePlan(std::vector<std::string> hosts, Waves waves) : hosts_(std::move(hosts)), waves_(waves) {}

  // True while there is a host to try; take() tells its name.
  [[nodiscard]] bool hasNext() const { return tried_ < hosts_.size(); }
  [[nodiscard]] std::string take();
  // One that was taken has been asked, or not; until then nobody knows.
  void letGo(const std::string& host) { std::erase(inHand_, host); }
  [[nodiscard]] const std::vector<std::string>& inHand() const { return inHand_; }

  // How it ended for hosts that were taken.
  void came(std::size_t hosts) { came_ += hosts; }
  void failed(std::size_t hosts) { failed_ += hosts; }

  // More failed, of the hosts tried so far, than is allowed: no further wave.
  [[nodiscard]] bool hasTooManyFailures() const;

  [[nodiscard]] std::vector<std::string> untried() const;
  [[nodiscard]] std::string progress() const;  // "120 of 1000 hosts tried: 118 there, 2 failed"
  // "stopped: 3 of 20 hosts failed, more than 10 % (--max-failed); not tried: node[021-100]"
  [[nodiscard]] std::string whyStopped() const;

 private:
  std::vector<std::string> hosts_;
  Waves waves_;
  std::vector<std::string> inHand_;
  std::size_t tried_ = 0, came_ = 0, failed_ = 0;
};

}  // namespace ingot::cli
