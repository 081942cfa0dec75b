// One ZeroMQ socket on the loop: drained whenever its descriptor says so, and after each send.
#pragma once

#include "base/sync.hpp"
#include "wire/link.hpp"

#include <functional>

namespace ingot::wire {

struct ZmqMessage {
  std::vector<std::string> frames;
  std::string userId;  // what ZAP said of the sender; "" elsewhere
};

// A message that libzmq had whole, also one that nobody wants: of too many frames or bytes.
struct TakenMessage {
  std::string address;  // of the peer, without a port
  std::string userId;
  std::size_t bytesOnTheWire = 0;
};

// Hides libzmq and the descriptor from every header.
class ZmqSocket {
 public:
  enum class Type { router, dealer, reply };

  struct Context;
  [[nodiscard]] static std::shared_ptr<Context> newContext();

  // Messages a connection that wait to be sent, and that wait to be read.
  ZmqSocket(base::Runtime runtime, std::shared_ptr<Context> context, Type type, std::size_t unsentLimit,
            std::size_t unreadLimit);
  ~ZmqSocket();
  ZmqSocket(const ZmqSocket&) = delete;
  ZmqSocket& operator=(const ZmqSocket&) = delete;

  void actAsCurveServer(const KeyPair& keys);
  void actAsCurveClient(const KeyPair& keys, const std::string& serverPublicKey);
  void bind(const std::string& endpoint);                  // throws base::Error naming it
  void serve(int listening, const std::string& endpoint);  // takes the socket over, which listens there already
  void connect(const std::string& endpoint);               // throws base::Error for a malformed one
  [[nodiscard]] std::string lastEndpoint() const;

  // False when the peer is unknown or the queue is full.
  bool send(const std::vector<std::string>& frames);

  // Told of each message when it leaves libzmq, before anybody gets it.
  void onTaken(std::function<void(const TakenMessage&)> listener);

  // From now on every message goes to `handler`, from the loop; it may send. Instead of receive().
  void onMessage(std::function<void(ZmqMessage)> handler);

  // The next message; throws base::Cancelled.
  [[nodiscard]] base::Task<ZmqMessage> receive();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingot::wire
