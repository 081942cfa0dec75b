// Easy handles that wait for their client's next request. One costs 8 KiB, which is a lot for thousands of clients that
// ask each half minute, and setting up another one some microseconds: of all clients together the last used ones are
// kept. What outlives a handle, the TLS session, is its client's.
#pragma once

#include "net/curl/multi.hpp"

#include <vector>

namespace ingot::net::curl {

struct ClientState;

class IdleHandles {
 public:
  static constexpr std::size_t most = 64;

  IdleHandles() = default;
  ~IdleHandles();
  IdleHandles(const IdleHandles&) = delete;
  IdleHandles& operator=(const IdleHandles&) = delete;

  // Points to nothing of a request any more.
  void keep(const ClientState& client, Easy easy);
  [[nodiscard]] Easy take(const ClientState& client);  // the last used one; nullptr: there is none
  void drop(const ClientState& client);

 private:
  struct Idle {
    const ClientState* client;
    Easy easy;
  };
  std::vector<Idle> idle_;  // the last used one last
};

}  // namespace ingot::net::curl
