#include "base/error.hpp"
#include "wire/link.hpp"
#include "wire/zmq_socket.hpp"

#include <zmq.h>

#include <array>

namespace ingot::wire {

namespace {

constexpr std::size_t queueLimit = 10000;  // messages
// Of one connection, before it is read: with the longest message 8 MiB. Who sends more waits.
constexpr std::size_t unreadLimit = 32;
constexpr auto zapEndpoint = "inproc://zeromq.zap.01";

// ZAP (RFC 27): CURVE has proved the key; we hand it on as the sender's user id.
class Authenticator {
 public:
  Authenticator(base::Runtime runtime, const std::shared_ptr<ZmqSocket::Context>& context)
      : socket_(std::move(runtime), context, ZmqSocket::Type::reply, queueLimit, queueLimit) {
    socket_.bind(zapEndpoint);
    socket_.onMessage([this](const ZmqMessage& message) { answer(message.frames); });
  }

  void admit(std::function<bool(const std::string& publicKey)> judge) { judge_ = std::move(judge); }

 private:
  // version, request id, domain, address, identity, mechanism, credentials → version, id, status, text, user id,
  // metadata
  void answer(const std::vector<std::string>& request) {
    const bool curve = request.size() == 7 && request[5] == "CURVE" && request[6].size() == 32;
    const std::string id = request.size() > 1 ? request[1] : "";
    if (!curve)
      socket_.send({"1.0", id, "400", "CURVE is required", "", ""});
    else if (const auto key = z85(request[6]); judge_ && !judge_(key))
      socket_.send({"1.0", id, "300", "too many of those that nobody has approved", "", ""});
    else
      socket_.send({"1.0", id, "200", "OK", key, ""});
  }

  static std::string z85(const std::string& key) {
    std::array<char, 41> text{};
    zmq_z85_encode(text.data(), reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
    return text.data();
  }

  ZmqSocket socket_;
  std::function<bool(const std::string& publicKey)> judge_;
};

class RouterLink final : public CoordinatorLink {
 public:
  RouterLink(base::Runtime runtime, const CoordinatorSocket& options)
      : context_(ZmqSocket::newContext()),
        authenticator_(runtime, context_),
        socket_(runtime, context_, ZmqSocket::Type::router, queueLimit, unreadLimit) {
    socket_.actAsCurveServer(options.keys);
    socket_.bind(options.endpoint);
  }

  base::Task<Incoming> receive() override {
    while (true) {
      auto message = co_await socket_.receive();
      if (message.frames.size() == 2 && !message.userId.empty())
        co_return Incoming{std::move(message.frames[0]), std::move(message.userId), std::move(message.frames[1])};
    }
  }
  bool send(const std::string& peer, std::string bytes) override { return socket_.send({peer, std::move(bytes)}); }
  [[nodiscard]] std::string endpoint() const override { return socket_.lastEndpoint(); }
  void admit(std::function<bool(const std::string& publicKey)> judge) override {
    authenticator_.admit(std::move(judge));
  }

 private:
  std::shared_ptr<ZmqSocket::Context> context_;
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
