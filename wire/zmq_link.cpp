#include "base/error.hpp"
#include "wire/codec.hpp"
#include "wire/link.hpp"
#include "wire/tcp_relay.hpp"
#include "wire/zmq_socket.hpp"

#include <zmq.h>

#include <array>

namespace ingot::wire {

namespace {

constexpr std::size_t queueLimit = 10000;  // messages
// Of one connection, before it is read: with the longest message 8 MiB. Who sends more waits.
constexpr std::size_t unreadLimit = 32;
// No peer gets this far ahead by whole messages: libzmq reads no more of it before. A few are in its hands and in the
// kernel's.
constexpr std::size_t mostUnread = (unreadLimit + 4) * (longestMessage + 64) + (1 << 20);
constexpr auto zapEndpoint = "inproc://zeromq.zap.01";

using KeyJudge = std::function<bool(const std::string& publicKey)>;

// Who connects: CURVE proves the key, ZAP (RFC 27) asks about it, and we hand it on as the sender's user id.
class Authenticator {
 public:
  // `waits`: nobody is admitted without a judge.
  Authenticator(base::Runtime runtime, const std::shared_ptr<ZmqSocket::Context>& context, TcpRelay& relay, bool waits)
      : relay_(relay),
        waits_(waits),
        socket_(std::move(runtime), context, ZmqSocket::Type::reply, queueLimit, queueLimit) {
    socket_.bind(zapEndpoint);
    socket_.onMessage([this](const ZmqMessage& message) { answer(message.frames); });
  }

  void admit(KeyJudge judge) { judge_ = std::move(judge); }
  void setKnown(KeyJudge isKnown) { isKnown_ = std::move(isKnown); }
  [[nodiscard]] bool isKnown(const std::string& key) const { return !isKnown_ || isKnown_(key); }

 private:
  // version, request id, domain, address, identity, mechanism, credentials → version, id, status, text, user id,
  // metadata
  void answer(const std::vector<std::string>& request) {
    const bool curve = request.size() == 7 && request[5] == "CURVE" && request[6].size() == 32;
    const std::string id = request.size() > 1 ? request[1] : "";
    if (!curve) return refuse(id, "400", "CURVE is required");
    const auto& address = request[3];
    if (!relay_.awaitsKey(address)) return refuse(id, "300", "the connection is gone");
    const auto key = z85(request[6]);
    if (!isAdmitted(key)) return refuse(id, "300", "too many of those that nobody has approved");
    relay_.proved(address, key, isKnown(key));
    socket_.send({"1.0", id, "200", "OK", key, ""});
  }

  void refuse(const std::string& id, const std::string& status, const std::string& why) {
    socket_.send({"1.0", id, status, why, "", ""});
  }
  [[nodiscard]] bool isAdmitted(const std::string& key) const { return judge_ ? judge_(key) : !waits_; }

  static std::string z85(const std::string& key) {
    std::array<char, 41> text{};
    zmq_z85_encode(text.data(), reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
    return text.data();
  }

  TcpRelay& relay_;
  bool waits_;
  ZmqSocket socket_;
  KeyJudge judge_, isKnown_;
};

class RouterLink final : public CoordinatorLink {
 public:
  RouterLink(base::Runtime runtime, const CoordinatorSocket& options)
      : context_(ZmqSocket::newContext()),
        relay_(runtime, options.endpoint, {.unread = {.ofKnown = mostUnread}}, options.turnedAway),
        authenticator_(runtime, context_, relay_, options.waitsForJudge),
        socket_(runtime, context_, ZmqSocket::Type::router, queueLimit, unreadLimit) {
    socket_.actAsCurveServer(options.keys);
    socket_.onTaken([this](const TakenMessage& message) {
      relay_.delivered(message.address, message.bytesOnTheWire, authenticator_.isKnown(message.userId));
    });
    socket_.serve(relay_.routerSocket(), relay_.routerEndpoint());
    if (!options.waitsForJudge) relay_.open();
  }

  base::Task<Incoming> receive() override {
    while (true) {
      auto message = co_await socket_.receive();
      if (message.frames.size() == 2 && !message.userId.empty())
        co_return Incoming{std::move(message.frames[0]), std::move(message.userId), std::move(message.frames[1])};
    }
  }
  bool send(const std::string& peer, std::string bytes) override { return socket_.send({peer, std::move(bytes)}); }
  [[nodiscard]] std::string endpoint() const override { return relay_.endpoint(); }
  void admit(KeyJudge judge) override {
    authenticator_.admit(std::move(judge));
    relay_.open();
  }
  void setKnown(KeyJudge isKnown) override { authenticator_.setKnown(std::move(isKnown)); }

 private:
  std::shared_ptr<ZmqSocket::Context> context_;
  TcpRelay relay_;
  Authenticator authenticator_;
  ZmqSocket socket_;
};

class DealerLink final : public AgentLink {
 public:
  DealerLink(base::Runtime runtime, const AgentSocket& options)
      : socket_(std::move(runtime), ZmqSocket::newContext(), ZmqSocket::Type::dealer, queueLimit, queueLimit) {
    socket_.actAsCurveClient(options.keys, options.serverPublicKey);
    socket_.connect(options.endpoint);
  }

  base::Task<std::string> receive() override {
    while (true) {
      auto message = co_await socket_.receive();
      if (message.frames.size() == 1) co_return std::move(message.frames[0]);
    }
  }
  bool send(std::string bytes) override { return socket_.send({std::move(bytes)}); }

 private:
  ZmqSocket socket_;
};

}  // namespace

std::unique_ptr<CoordinatorLink> bindLink(base::Runtime runtime, CoordinatorSocket socket) {
  return std::make_unique<RouterLink>(std::move(runtime), socket);
}

std::unique_ptr<AgentLink> connectLink(base::Runtime runtime, AgentSocket socket) {
  return std::make_unique<DealerLink>(std::move(runtime), socket);
}

}  // namespace ingot::wire
