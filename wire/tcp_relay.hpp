// Stands between the network and ROUTER. libzmq bounds frames and counts whole messages; what it keeps of a message
// that has no end, and how many connections there are, it bounds by nothing. The relay does:
//
//  - A connection is closed when its bytes are further ahead of its whole messages than the limits say. It is judged as
//    a stranger's until a key that is known has been proved.
//  - Connections of known keys are closed for one reason more: their key has opened more than `ofOneKey`. Those of
//    strangers make room for others: the oldest is closed where there are more than `strangers`, or than
//    `strangersOfOneNetwork` of one network; those of networks in which known keys were proved come last. So who is
//    known always gets in, and no stranger is kept out for good.
//  - Who has proved no key in `handshake` is closed.
//  - A network that connects more often than its pace is refused at once. No error of accept() ends the accepting.
//  - ROUTER listens where no other process gets to, where the kernel lets us see to that (private_port.hpp; the log
//    says where not). Each connection comes to it from an address of 127.64.0.0/10 of its own, by which it names the
//    connection: in ZAP's requests, and in Peer-Address of messages. Nobody proves a key from another address.
//
// Everything happens on the loop. Nothing is accepted before open().
#pragma once

#include "base/runtime.hpp"
#include "wire/link.hpp"
#include "wire/relayed_connection.hpp"

namespace ingot::wire {

struct RelayLimits {
  UnreadLimits unread = {};
  std::size_t total = 4096;  // connections; fewer where the process may open few files
  std::size_t strangers = 128;
  std::size_t strangersOfOneNetwork = 64;
  std::size_t ofOneKey = 4;
  base::Duration handshake = std::chrono::seconds(10);
  // Of one network: many agents may be behind one address, and all come back at once.
  base::Duration perConnection = std::chrono::milliseconds(50);
  unsigned connectionBurst = 256;
};

class TcpRelay {
 public:
  // `endpoint`: tcp://ADDRESS:PORT; the address may be * or a network interface, the port * or 0. Throws base::Error
  // naming it. `count`: called for each connection that is refused or closed for what it does; may be empty.
  TcpRelay(base::Runtime runtime, const std::string& endpoint, RelayLimits limits, CountTurnedAway count = {});
  ~TcpRelay();  // closes everything
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;

  [[nodiscard]] std::string endpoint() const;  // with the port that was picked

  // Where ROUTER is to listen; the caller owns the descriptor.
  [[nodiscard]] int routerSocket() const;
  [[nodiscard]] std::string routerEndpoint() const;

  void open();

  // `inner`: what ROUTER takes for the address of its peer.
  [[nodiscard]] bool has(const std::string& inner) const;
  // It is there, and has proved no key yet: a second key from its address is somebody else's.
  [[nodiscard]] bool awaitsKey(const std::string& inner) const;
  void proved(const std::string& inner, const std::string& publicKey, bool isKnown);
  // A whole message has come whose frames took so many bytes on the wire.
  void delivered(const std::string& inner, std::size_t bytes, bool isKnown);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingot::wire
