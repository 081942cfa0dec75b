// The seam between the protocol and its sockets. Bytes in, bytes out; messages may be lost, never altered or repeated.
#pragma once

#include "base/runtime.hpp"
#include "base/secret.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ingot::wire {

// A CURVE key pair, each key 40 characters of Z85.
struct KeyPair {
  std::string publicKey;
  base::Secret secretKey;
};

[[nodiscard]] KeyPair generateKeyPair();

// The pair of this secret half, white space around which is left out. nullopt: it is none (40 characters of Z85).
[[nodiscard]] std::optional<KeyPair> keyPairOf(const base::Secret& secretKey);

// Reads PREFIX.key (mode 0600) and creates it at the first call; PREFIX.pub always holds the public key that belongs to
// it. Throws base::Error naming the file.
[[nodiscard]] KeyPair loadOrCreateKeyPair(const std::string& prefix);

// "SHA256:3f2a 91bc …": what both sides print and an operator compares before approving.
[[nodiscard]] std::string fingerprint(std::string_view publicKey);

struct Incoming {
  std::string peer;       // names one connection until it is lost; give it back to send()
  std::string publicKey;  // proved by CURVE
  std::string bytes;
};

// The coordinator's end: many agents.
class CoordinatorLink {
 public:
  virtual ~CoordinatorLink() = default;
  [[nodiscard]] virtual base::Task<Incoming> receive() = 0;  // throws base::Cancelled
  // False when the peer is gone or its queue is full: the message is dropped, the caller's state machine recovers.
  virtual bool send(const std::string& peer, std::string bytes) = 0;
  [[nodiscard]] virtual std::string endpoint() const = 0;  // with the port that was picked
  // Asked of each new connection, on the loop: false ends it before it can send anything; its owner tries again after
  // ten seconds. Empty, as at first: every key may connect.
  virtual void admit(std::function<bool(const std::string& publicKey)> judge) = 0;
  // Who is no stranger: whose connections are not closed to make room for others, and who may have more under way.
  // Asked of each connection and of each message, on the loop. Empty, as at first: nobody is a stranger.
  virtual void setKnown(std::function<bool(const std::string& publicKey)> /*isKnown*/) {}
};

// The agent's end: one coordinator. Connects again by itself for ever.
class AgentLink {
 public:
  virtual ~AgentLink() = default;
  [[nodiscard]] virtual base::Task<std::string> receive() = 0;  // throws base::Cancelled
  virtual bool send(std::string bytes) = 0;                     // false: no connection, or queue full: dropped
};

// Why a connection of a peer was refused or closed: its network connects too often; all that may be are of known keys;
// a newer stranger took its place; its key has newer ones; it sent a message without an end; it proved no key in time.
enum class TurnedAway { tooOften, full, crowded, sharedKey, endlessMessage, noKeyInTime };
using CountTurnedAway = std::function<void(TurnedAway)>;

struct CoordinatorSocket {
  std::string endpoint = "tcp://127.0.0.1:7460";  // port * picks a free one
  KeyPair keys;
  // Nobody is let in before admit() has said whom; who connects waits until then.
  bool waitsForJudge = false;
  CountTurnedAway turnedAway = {};
};

struct AgentSocket {
  std::string endpoint;
  std::string serverPublicKey;
  KeyPair keys;
};

// ZeroMQ ROUTER and DEALER with CURVE; every key may connect (approval is the caller's), none is anonymous. What a peer
// costs the coordinator is bounded, whatever it sends and however often it connects (tcp_relay.hpp).
// Throw base::Error when the endpoint cannot be bound or is malformed.
[[nodiscard]] std::unique_ptr<CoordinatorLink> bindLink(base::Runtime runtime, CoordinatorSocket socket);
[[nodiscard]] std::unique_ptr<AgentLink> connectLink(base::Runtime runtime, AgentSocket socket);

}  // namespace ingot::wire
