// The BMCs that were acquired for requests to Ironic. Pure.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::agents {

class IronicRequests {
 public:
  // An agent may act again this long after a request has been answered.
  explicit IronicRequests(base::Duration after) : after_(after) {}

  // `sent`: now; else it waits for the BMC, beside one that may be under way.
  void asked(const std::string& uid, bool sent, base::MonoTime now) {
    auto& request = requests_[uid];
    request = {now, request.underWay || sent};
  }
  void answered(const std::string& uid, base::MonoTime now) { requests_[uid] = {now, false}; }

  // Ironic may be at this host's BMC.
  [[nodiscard]] bool mayAct(const std::string& uid, base::MonoTime now) const {
    const auto found = requests_.find(uid);
    return found != requests_.end() && stands(found->second, now);
  }
  void prune(base::MonoTime now) {
    std::erase_if(requests_, [&](const auto& entry) { return !stands(entry.second, now); });
  }

 private:
  struct Request {
    base::MonoTime at{};
    bool underWay = false;
  };
  static constexpr base::Duration longest = std::chrono::minutes(10);  // far above the deadline of Ironic's client
  [[nodiscard]] bool stands(const Request& request, base::MonoTime now) const {
    return now - request.at < (request.underWay ? longest : after_);
  }

  base::Duration after_;
  std::map<std::string, Request> requests_;  // by uid: the last one
};

}  // namespace ingot::coordinator::agents
