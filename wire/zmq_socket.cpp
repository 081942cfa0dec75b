#include "wire/zmq_socket.hpp"

#include "base/error.hpp"
#include "wire/codec.hpp"
#include "wire/unread_bytes.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <zmq.hpp>

namespace ingot::wire {

struct ZmqSocket::Context {
  zmq::context_t zmq{1};
};

namespace {

zmq::socket_type typeOf(ZmqSocket::Type type) {
  switch (type) {
    case ZmqSocket::Type::router: return zmq::socket_type::router;
    case ZmqSocket::Type::dealer: return zmq::socket_type::dealer;
    case ZmqSocket::Type::reply: return zmq::socket_type::rep;
  }
  return zmq::socket_type::dealer;
}

constexpr int peerSilence = 10000;  // ms without a ZMTP heartbeat before a connection is dropped
constexpr int heartbeatInterval = 3000;
constexpr std::size_t mostBytes = 4 << 20;  // that we take over from libzmq before they are asked for
constexpr std::size_t roomOfCurve = 64;     // bytes that encryption adds to a message
// Of a message that is kept: ZAP's requests have seven frames, a message of an agent has its sender and one more.
constexpr std::size_t mostFrames = 8;
constexpr std::size_t mostBytesAMessage = longestMessage + 1024;

std::string propertyOf(zmq::message_t& frame, const char* name) {
  const char* text = zmq_msg_gets(frame.handle(), name);
  return text != nullptr ? text : "";
}

}  // namespace

struct ZmqSocket::State : std::enable_shared_from_this<ZmqSocket::State> {
  State(base::Runtime r, std::shared_ptr<Context> c, Type type, std::size_t unsentLimit, std::size_t unreadLimit)
      : context(std::move(c)),
        socket(context->zmq, typeOf(type)),
        descriptor(r.executor, socket.get(zmq::sockopt::fd)),
        arrived(r.executor) {
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(longestMessage + roomOfCurve));
    socket.set(zmq::sockopt::sndhwm, static_cast<int>(unsentLimit));
    socket.set(zmq::sockopt::rcvhwm, static_cast<int>(unreadLimit));
    if (type != Type::reply) {
      socket.set(zmq::sockopt::heartbeat_ivl, heartbeatInterval);
      socket.set(zmq::sockopt::heartbeat_timeout, peerSilence);
      socket.set(zmq::sockopt::handshake_ivl, peerSilence);
      socket.set(zmq::sockopt::reconnect_ivl, 200);
      socket.set(zmq::sockopt::reconnect_ivl_max, 2000);
    }
    if (type == Type::dealer) socket.set(zmq::sockopt::immediate, true);  // what nobody can hear now is stale later
    if (type == Type::router) socket.set(zmq::sockopt::router_mandatory, true);
  }
  ~State() { descriptor.release(); }  // the descriptor belongs to libzmq

  // Moves everything that is there into our queue. libzmq signals edges: nothing may be left behind, unless our own
  // queue is full, and then receive() comes back for the rest.
  void drain() {
    bool some = false;
    while (!closed && bytes < mostBytes && (socket.get(zmq::sockopt::events) & ZMQ_POLLIN) != 0) {
      auto message = takeFromLibrary();
      some = true;
      if (message.frames.empty()) continue;
      for (const auto& frame : message.frames) bytes += sizeof(ZmqMessage) + frame.size();
      messages.push_back(std::move(message));
    }
    if (some) arrived.notifyAll();
  }

  // Without frames: there was none, or one that nobody wants, which is given up as soon as that is seen.
  ZmqMessage takeFromLibrary() {
    ZmqMessage message;
    TakenMessage taken;
    zmq::message_t frame;
    std::size_t size = 0;
    bool isWanted = true;
    do {
      if (!socket.recv(frame, zmq::recv_flags::dontwait)) return {};
      size += frame.size();
      taken.bytesOnTheWire += bytesOnTheWire(frame.size());
      isWanted = isWanted && message.frames.size() < mostFrames && size <= mostBytesAMessage;
      if (isWanted)
        message.frames.emplace_back(frame.to_string());
      else
        message.frames.clear();
    } while (frame.more());
    message.userId = taken.userId = propertyOf(frame, "User-Id");  // a router's first frame is its own and knows none
    if (listener) {
      taken.address = propertyOf(frame, "Peer-Address");
      listener(taken);
    }
    return message;
  }

  ZmqMessage take() {
    auto message = std::move(messages.front());
    messages.pop_front();
    for (const auto& frame : message.frames) bytes -= sizeof(ZmqMessage) + frame.size();
    return message;
  }

  void deliver() {
    while (handler && !messages.empty()) handler(take());
  }

  void watch() {
    if (closed) return;
    drain();
    deliver();
    descriptor.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                          [self = shared_from_this()](boost::system::error_code ec) {
                            if (!ec) self->watch();
                          });
  }

  std::shared_ptr<Context> context;
  zmq::socket_t socket;
  boost::asio::posix::stream_descriptor descriptor;
  base::Notifier arrived;
  std::deque<ZmqMessage> messages;
  std::size_t bytes = 0;  // that the messages take
  std::function<void(ZmqMessage)> handler;
  std::function<void(const TakenMessage&)> listener;
  bool closed = false;
};

std::shared_ptr<ZmqSocket::Context> ZmqSocket::newContext() { return std::make_shared<Context>(); }

ZmqSocket::ZmqSocket(base::Runtime runtime, std::shared_ptr<Context> context, Type type, std::size_t unsentLimit,
                     std::size_t unreadLimit)
    : state_(std::make_shared<State>(std::move(runtime), std::move(context), type, unsentLimit, unreadLimit)) {
  state_->watch();
}

ZmqSocket::~ZmqSocket() {
  state_->closed = true;
  state_->handler = nullptr;
  state_->listener = nullptr;
  boost::system::error_code ignored;
  state_->descriptor.cancel(ignored);
}

void ZmqSocket::actAsCurveServer(const KeyPair& keys) {
  state_->socket.set(zmq::sockopt::curve_server, true);
  state_->socket.set(zmq::sockopt::curve_secretkey, keys.secretKey.reveal());
  state_->socket.set(zmq::sockopt::zap_domain, "ingot");
}

void ZmqSocket::actAsCurveClient(const KeyPair& keys, const std::string& serverPublicKey) {
  try {
    state_->socket.set(zmq::sockopt::curve_serverkey, serverPublicKey);
    state_->socket.set(zmq::sockopt::curve_publickey, keys.publicKey);
    state_->socket.set(zmq::sockopt::curve_secretkey, keys.secretKey.reveal());
  } catch (const zmq::error_t&) {
    throw base::Error("the coordinator's public key is not a CURVE key (40 characters of Z85)");
  }
}

void ZmqSocket::bind(const std::string& endpoint) {
  try {
    state_->socket.bind(endpoint);
  } catch (const zmq::error_t& error) {
    throw base::Error(fmt::format("cannot listen on {}: {}", endpoint, error.what()));
  }
}

void ZmqSocket::serve(int listening, const std::string& endpoint) {
  state_->socket.set(zmq::sockopt::use_fd, listening);
  bind(endpoint);
}

void ZmqSocket::connect(const std::string& endpoint) {
  try {
    state_->socket.connect(endpoint);
  } catch (const zmq::error_t& error) {
    throw base::Error(
        fmt::format("cannot connect to {}: {} (an endpoint looks like tcp://10.0.0.1:7460)", endpoint, error.what()));
  }
}

std::string ZmqSocket::lastEndpoint() const { return state_->socket.get(zmq::sockopt::last_endpoint); }

bool ZmqSocket::send(const std::vector<std::string>& frames) {
  try {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const auto flags =
          zmq::send_flags::dontwait | (i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
      if (!state_->socket.send(zmq::buffer(frames[i]), flags)) return false;
    }
  } catch (const zmq::error_t&) {  // EHOSTUNREACH: the peer is gone
    return false;
  }
  state_->drain();  // sending may have swallowed the edge that says something arrived
  return true;
}

void ZmqSocket::onTaken(std::function<void(const TakenMessage&)> listener) { state_->listener = std::move(listener); }

void ZmqSocket::onMessage(std::function<void(ZmqMessage)> handler) { state_->handler = std::move(handler); }

base::Task<ZmqMessage> ZmqSocket::receive() {
  const auto state = state_;
  while (state->messages.empty()) {
    state->drain();
    if (state->messages.empty()) co_await state->arrived.wait();
  }
  auto message = state->take();
  state->drain();
  co_return message;
}

}  // namespace ingot::wire
