// What of the requests of a WiredTransport is under way on sockets: so long its loop is kept from looking idle.
#pragma once

#include "base/sync.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::tests {

class WireTraffic : public std::enable_shared_from_this<WireTraffic> {
 public:
  // A request from its first byte to the last of its answer, or until its client gives it up.
  struct Exchange {
    bool isHandled = false;     // a handler has it, and may wait for the clock
    base::AbortSource givenUp;  // by the client: as if the connection had been closed
  };

  explicit WireTraffic(const base::Executor& executor) : executor_(executor) {}

  std::string begin();
  [[nodiscard]] std::shared_ptr<Exchange> find(const std::string& number) const;
  void setHandled(Exchange& exchange, bool isHandled);
  void end(const std::string& number);

 private:
  [[nodiscard]] bool isUnderWay() const;
  void keepBusy();

  base::Executor executor_;
  std::map<std::string, std::shared_ptr<Exchange>> exchanges_;
  int last_ = 0;
  bool isBusy_ = false;
};

}  // namespace ingot::tests
