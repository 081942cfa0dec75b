// Bytes from anybody who reaches the port: over a real socket, in pieces of any size. Whatever they are, the server
// answers well-formed HTTP or closes, the handler sees whole requests within the limits alone, and the connection ends
// with its client. Whether the first request is served does not depend on how the bytes come.
#include "net/beast/connection.hpp"
#include "tests/support/loop.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace {

using namespace ingot;

constexpr std::size_t bodyLimit = 512, headerLimit = 1024, longestInput = 4096;

void must(bool holds) {
  if (!holds) std::abort();
}

// Answers in each way that a handler can, by the path.
class Handler final : public net::HttpHandler {
 public:
  [[nodiscard]] bool wantsBody(const net::ServerRequest& head) const override { return head.path() != "/stranger"; }

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    must(!request.method.empty() && !request.target.empty() && request.body.size() <= bodyLimit);
    must(request.target.size() <= headerLimit && request.path().size() <= request.target.size());
    for (const auto& [name, value] : request.headers.all())
      must(!name.empty() && name.find_first_of("\r\n") == name.npos);
    if (request.path() == "/none") co_return;
    if (request.path() == "/throws") throw base::Error("no such luck");
    if (request.path() == "/abort") co_return out.abort();
    if (request.path() != "/stream") co_return co_await out.send({200, {{"Content-Type", "text/plain"}}, request.body});
    co_await out.begin(200, {});
    co_await out.write("a piece");
    co_await out.write(std::move(request.body));
    co_await out.end();
  }
};

// What the server has said so far.
void hear(int fd, std::string& into) {
  char buffer[4096];
  for (ssize_t got; (got = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT)) > 0;)
    into.append(buffer, static_cast<std::size_t>(got));
}

std::string talk(std::string_view bytes, std::size_t piece) {
  tests::Loop loop;
  Handler handler;
  const net::ServerOptions options{.bodyLimit = bodyLimit, .headerLimit = headerLimit};
  int ends[2];
  must(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  std::string said;
  {
    net::Connection connection(loop.runtime, options, handler, ends[0], nullptr, {"1.2.3.4:5", "6.7.8.9:10"});
    base::TaskGroup tasks(loop.runtime.executor, loop.runtime.log);
    bool over = false;
    tasks.spawn("connection", [](net::Connection& it, bool& ended) -> base::Task<void> {
      co_await it.run();
      ended = true;
    }(connection, over));
    while (!bytes.empty() && !over) {
      const auto some = bytes.substr(0, piece);
      const auto put = ::send(ends[1], some.data(), some.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
      loop.clock.settle();
      hear(ends[1], said);
      if (put < 0) break;  // it does not listen any more
    }
    ::shutdown(ends[1], SHUT_WR);
    must(loop.clock.advanceUntil([&] { return over; }, std::chrono::minutes(10)));
    hear(ends[1], said);
    loop.run(tasks.close());
  }
  ::close(ends[1]);
  return said;
}

// The length of the chunked body at the front of `text`; npos when it is cut off.
std::size_t chunkedLength(std::string_view text) {
  for (std::size_t at = 0;;) {
    const auto line = text.find("\r\n", at);
    if (line == std::string_view::npos) return line;
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + line, size, 16);
    must(error == std::errc() && end == text.data() + line);
    at = line + 2 + size + 2;
    if (at > text.size()) return std::string_view::npos;
    must(text.substr(at - 2, 2) == "\r\n");
    if (size == 0) return at;
  }
}

// Takes one answer, without any 100 before it, from the front of `said`. The connection may end in its middle.
std::string takeAnswer(std::string_view& said, bool toHead) {
  while (said.starts_with("HTTP/1.1 100 Continue\r\n\r\n")) said.remove_prefix(25);
  const auto head = said.find("\r\n\r\n");
  if (head == std::string_view::npos) return std::string(std::exchange(said, {}));
  must(said.starts_with("HTTP/1."));
  int status = 0;
  must(std::from_chars(said.data() + 9, said.data() + 12, status).ec == std::errc() && status >= 200 && status < 600);
  const auto fields = said.substr(0, head + 2);
  std::size_t length = 0;
  if (const auto at = fields.find("\r\nContent-Length: "); at != std::string_view::npos)
    must(std::from_chars(fields.data() + at + 18, fields.data() + fields.size(), length).ec == std::errc());
  const bool chunked = fields.contains("\r\nTransfer-Encoding: chunked\r\n");
  const auto body = said.substr(head + 4);
  if (chunked) length = chunkedLength(body);
  if (toHead) length = 0;
  const auto whole = length > body.size() ? said.size() : head + 4 + length;
  std::string answer(said.substr(0, whole));
  said.remove_prefix(whole);
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size < 2 || size > longestInput) return 0;
  const std::size_t piece = data[0] % 64 + 1;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool mayAskForHead = bytes.contains("HEAD ");  // only the connection knows to which request an answer belongs
  const std::string atOnce = talk(bytes, bytes.size()), inPieces = talk(bytes, piece);
  if (mayAskForHead) return 0;
  std::string_view some = atOnce, others = inPieces;
  const auto isServed = [](const std::string& answer) { return answer.starts_with("HTTP/1.1 200 "); };
  must(isServed(takeAnswer(some, false)) == isServed(takeAnswer(others, false)));
  while (!some.empty()) (void)takeAnswer(some, false);
  while (!others.empty()) (void)takeAnswer(others, false);
  return 0;
}
