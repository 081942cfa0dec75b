// Reads the answers of one server no faster than its share: what they cost to read, they cost the thread that everybody
// shares. Who is within its allowance notices nothing; past it, each request and each piece of a stream waits, and so
// does the server, because nobody takes what it sends.
#pragma once

#include "base/clock.hpp"
#include "net/client.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace ingot::coordinator::workload {

struct Pace {
  std::size_t atOnce = 64u << 20;      // bytes: the Nodes of a large cluster
  std::size_t perSecond = 8u << 20;    // bytes, in the long run
  std::size_t eachRequest = 8u << 10;  // what a request costs beside the bytes of its answer
};

// What all servers together may cost: each has its own pace as long as there are few.
class PaceShares {
 public:
  explicit PaceShares(std::size_t perSecond) : perSecond_(perSecond) {}
  void enter() { ++count_; }
  void leave() { --count_; }
  [[nodiscard]] std::size_t each() const {
    return std::max<std::size_t>(1, perSecond_ / std::max<std::size_t>(1, count_));
  }

 private:
  std::size_t perSecond_, count_ = 0;
};

class PacedTransport final : public net::HttpTransport {
 public:
  // `clock` and `transport` outlive this and all its clients, which share one pace.
  PacedTransport(base::Clock& clock, net::HttpTransport& transport, Pace pace = {},
                 std::shared_ptr<PaceShares> shares = nullptr);
  ~PacedTransport() override;

  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  class Allowance;
  class PacedClient;
  class PacedStream;

  net::HttpTransport& transport_;
  std::shared_ptr<Allowance> allowance_;
};

}  // namespace ingot::coordinator::workload
