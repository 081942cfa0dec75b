#include "net/beast/connection.hpp"

#include "net/beast/response_text.hpp"

namespace ingot::net {
namespace {

using base::Task;

constexpr std::size_t kReadAhead = 64u << 10;  // of further requests while one is being answered
constexpr auto kHandshakeGrace = std::chrono::seconds(2);
constexpr auto kLinger = std::chrono::seconds(2);  // for a client to read why its request was refused

std::optional<std::size_t> announcedLength(const Headers& headers) {
  const auto text = headers.get("Content-Length");
  std::size_t length = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || ec != std::errc()) return std::nullopt;
  return length;
}

// In one piece of memory, so that it leaves in one system call and one TLS record where it fits; copied once.
std::string framed(std::string_view chunk) {
  constexpr std::string_view lineEnd = "\r\n";
  const std::string size = fmt::format("{:x}", chunk.size());
  std::string frame;
  frame.reserve(size.size() + chunk.size() + 2 * lineEnd.size());
  frame.append(size).append(lineEnd).append(chunk).append(lineEnd);
  return frame;
}

}  // namespace

// How the handler's answer reaches the stream.
class Connection::Output final : public Responder {
 public:
  Output(Connection& connection, bool head, bool http10, bool close)
      : connection_(connection), head_(head), http10_(http10), close_(close || http10) {}

  Task<void> send(HttpResponse response) override {
    if (state_ != State::fresh) throw std::logic_error("an answer was sent already");
    state_ = State::ended;
    auto bytes = responseHead(response.status, response.headers, {.length = response.body.size(), .close = closing()});
    if (!head_ && mayHaveBody(response.status)) bytes += response.body;
    co_await connection_.write(std::move(bytes));
  }

  Task<void> begin(int status, Headers headers) override {
    if (state_ != State::fresh) throw std::logic_error("an answer was begun already");
    state_ = State::streaming;
    silent_ = head_ || !mayHaveBody(status);
    missing_ = announcedLength(headers);
    co_await connection_.write(
        responseHead(status, headers, {.length = missing_, .chunked = chunked(), .close = closing()}));
  }

  Task<void> write(std::string chunk) override {
    if (state_ != State::streaming) throw std::logic_error("write() outside begin() and end()");
    if (chunk.empty() || silent_) co_return;
    if (missing_) takeFromAnnounced(chunk.size());
    co_await connection_.write(chunked() ? framed(chunk) : std::move(chunk));
  }

  Task<void> end() override {
    if (state_ != State::streaming) throw std::logic_error("end() without begin()");
    if (!silent_ && missing_.value_or(0) != 0) {  // the client must not take it for the whole
      abort();
      co_return;
    }
    state_ = State::ended;
    if (!silent_ && chunked()) co_await connection_.write("0\r\n\r\n");
  }

  void abort() override {
    state_ = State::broken;
    connection_.stream_.breakOff();
  }

  [[nodiscard]] bool fresh() const { return state_ == State::fresh; }
  [[nodiscard]] bool complete() const { return state_ == State::ended; }
  [[nodiscard]] bool closing() const { return close_ || connection_.draining_ || connection_.closesAfterAnswer_; }

 private:
  enum class State { fresh, streaming, ended, broken };

  [[nodiscard]] bool chunked() const { return !http10_ && !missing_; }
  void takeFromAnnounced(std::size_t bytes) {
    if (bytes > *missing_) throw std::logic_error("more was written than Content-Length announced");
    *missing_ -= bytes;
  }

  Connection& connection_;
  bool head_, http10_, close_;
  bool silent_ = false;
  std::optional<std::size_t> missing_;  // of a streamed body whose length was announced
  State state_ = State::fresh;
};

Connection::Connection(base::Runtime runtime, const ServerOptions& options, HttpHandler& handler, int fd, SSL_CTX* tls,
                       Addresses addresses)
    : runtime_(std::move(runtime)),
      options_(options),
      handler_(handler),
      stream_(runtime_.executor, fd, tls),
      addresses_(std::move(addresses)),
      reader_(runtime_.executor, base::Log::silent()),
      inputGrew_(runtime_.executor),
      inputShrank_(runtime_.executor),
      acceptedAt_(runtime_.clock.now()) {}

bool Connection::isEvictable(base::MonoTime now, bool scarce) const {
  if (authenticated_ || abort_.aborted()) return false;
  return scarce || handshakeDone_ || now - acceptedAt_ >= kHandshakeGrace;
}

void Connection::setDeadline(base::Duration limit) { deadline_ = runtime_.clock.now() + limit; }

void Connection::abortIfLate(base::MonoTime now) {
  if (deadline_ && *deadline_ <= now) abort();
}

void Connection::drain() {
  draining_ = true;
  if (!handling_) abort();
}

Task<void> Connection::run() {
  setDeadline(options_.handshakeTimeout);
  std::exception_ptr cancelled;
  try {
    co_await abort_.run(serve());
  } catch (const HttpError& e) {
    runtime_.log.debug("connection ended", {{"client", addresses_.remote}, {"why", e.what()}});
  } catch (const base::Cancelled&) {
    cancelled = std::current_exception();
  } catch (const std::length_error& e) {  // Beast's, of a field that is too long for it; whoever connects can send one
    runtime_.log.debug("connection ended", {{"client", addresses_.remote}, {"why", e.what()}});
  } catch (const std::exception& e) {
    runtime_.log.error("connection failed", {{"client", addresses_.remote}, {"error", e.what()}});
  }
  deadline_.reset();
  stream_.close();
  co_await reader_.close();
  if (cancelled && !abort_.aborted()) std::rethrow_exception(cancelled);
}

Task<void> Connection::serve() {
  co_await stream_.handshake();
  peer_ = stream_.peer();
  authenticated_ = !peer_.commonName.empty();
  handshakeDone_ = true;
  reader_.spawn("reader", read());
  while (!draining_) {
    setDeadline(options_.idleTimeout);
    RequestParser parser(options_.headerLimit, options_.bodyLimit);
    auto request = co_await nextRequest(parser);
    if (!request) co_return;
    authenticated_ = authenticated_ || handler_.isAuthenticated(*request);
    Output out(*this, request->method == "HEAD", parser.http10(), !parser.keepAlive() || discarding_);
    co_await answer(std::move(*request), out);
    if (!out.complete()) co_return;
    if (discarding_) co_return co_await linger();
    if (out.closing()) break;
  }
  stream_.finishWriting();
}

// nullopt: the client has closed, or its request was refused. Only the head when the handler does not want the body.
Task<std::optional<ServerRequest>> Connection::nextRequest(RequestParser& parser) {
  bool started = false;
  while (true) {
    if (!input_.empty() && !std::exchange(started, true)) setDeadline(options_.requestTimeout);
    const auto state = parser.feed(input_);
    inputShrank_.notifyAll();
    if (state == RequestParser::State::done) co_return identified(parser.take());
    if (state == RequestParser::State::refused) {
      co_await refuse(parser);
      co_return std::nullopt;
    }
    if (auto head = parser.takeHead()) {
      auto request = identified(std::move(*head));
      authenticated_ = authenticated_ || handler_.isAuthenticated(request);  // before its body, which may take long
      if (!handler_.wantsBody(request)) {
        discardInput();
        co_return request;
      }
    }
    if (parser.takeExpectation()) co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n");
    if (peerClosed_) co_return std::nullopt;
    co_await inputGrew_.wait();
  }
}

ServerRequest Connection::identified(ServerRequest request) const {
  request.peer = peer_;
  request.remoteAddress = addresses_.remote;
  request.localAddress = addresses_.local;
  return request;
}

Task<void> Connection::refuse(const RequestParser& parser) {
  const auto answer = parser.refusal();
  discardInput();
  co_await write(responseHead(answer.status, answer.headers, {.length = answer.body.size(), .close = true}) +
                 answer.body);
  co_await linger();
}

// What the client still sends is read and forgotten.
void Connection::discardInput() {
  discarding_ = true;
  input_.clear();
  inputShrank_.notifyAll();
}

// The client may still be sending: closing at once would reset the connection before it has read the answer.
Task<void> Connection::linger() {
  stream_.finishWriting();
  setDeadline(kLinger);
  while (!peerClosed_) co_await inputGrew_.wait();
}

Task<void> Connection::answer(ServerRequest request, Output& out) {
  deadline_.reset();  // how long a handler takes is its own affair
  const auto what = request.method + " " + std::string(request.path());
  handling_ = true;
  std::string failure;
  try {
    co_await handler_.handle(std::move(request), out);
    if (out.fresh()) failure = "the handler gave no answer";
  } catch (const base::Cancelled&) {
    handling_ = false;
    throw;
  } catch (const HttpError& e) {
    if (peerClosed_ || peerLost_) throw;
    failure = e.what();
  } catch (const std::exception& e) {
    failure = e.what();
  }
  handling_ = false;
  if (failure.empty()) co_return;
  runtime_.log.error("request failed", {{"request", what}, {"client", addresses_.remote}, {"error", failure}});
  if (out.fresh()) co_await out.send({500, {{"Content-Type", "text/plain; charset=utf-8"}}, "Internal server error"});
}

Task<void> Connection::write(std::string bytes) {
  const auto before = deadline_;
  setDeadline(options_.requestTimeout);
  try {
    co_await stream_.write(std::move(bytes));
  } catch (const HttpError&) {
    peerLost_ = true;
    throw;
  }
  deadline_ = before;
}

Task<void> Connection::read() {
  while (co_await stream_.readSome(input_)) {
    if (discarding_) input_.clear();
    inputGrew_.notifyAll();
    while (input_.size() >= kReadAhead) co_await inputShrank_.wait();
  }
  peerClosed_ = true;
  inputGrew_.notifyAll();
  if (handling_) abort();
}

}  // namespace ingot::net
