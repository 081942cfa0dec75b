// Reads the answers of one server no faster than its share: what they cost to read, they cost the thread that everybody
// shares. Who is within its allowance notices nothing; past it, each request and each piece of a stream waits, and so
// does the server, because nobody takes what it sends.
#pragma once

#include "coordinator/workload/pace_shares.hpp"
#include "net/client.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace ingot::coordinator::workload {

struct Pace {
  std::size_t atOnce = 64u << 20;      // bytes: the Nodes of a large cluster
  std::size_t perSecond = 8u << 20;    // bytes, in the long run
  std::size_t eachRequest = 8u << 10;  // what a request costs beside the bytes of its answer
};

class PacedTransport final : public net::HttpTransport {
 public:
  // What a stream has brought of a line that has not ended: bytes, and how many they were before. None at its end.
  using Unfinished = std::function<void(std::size_t before, std::size_t bytes)>;

  // `clock` and `transport` outlive this and all its clients, which share one pace; nullptr: whatever others are read.
  // `unfinished` is told as long as there are streams.
  PacedTransport(base::Clock& clock, net::HttpTransport& transport, Pace pace = {},
                 std::unique_ptr<PaceShares::Share> share = nullptr, Unfinished unfinished = {});
  ~PacedTransport() override;

  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  class Allowance;
  class PacedClient;
  class PacedStream;

  net::HttpTransport& transport_;
  std::shared_ptr<Allowance> allowance_;
  Unfinished unfinished_;
};

}  // namespace ingot::coordinator::workload
