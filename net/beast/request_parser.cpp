#include "net/beast/request_parser.hpp"

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>

namespace http = boost::beast::http;

namespace ingot::net {

namespace {

// The least that is missing of a chunked body. With less, Beast asserts that it has it all: a last chunk that comes in
// pieces would end the process.
constexpr std::string_view kLastChunk = "0\r\n\r\n";

// What a field costs beside its text, as HTTP/2 counts (RFC 9113, section 6.5.2).
constexpr std::size_t kFieldOverhead = 32;

std::size_t costOf(std::string_view partOfHead) {
  return partOfHead.size() + kFieldOverhead * static_cast<std::size_t>(std::ranges::count(partOfHead, '\n'));
}

ServerRequest headOf(const http::request<http::string_body>& message) {
  ServerRequest request;
  request.method = std::string(message.method_string());
  request.target = std::string(message.target());
  for (const auto& field : message) request.headers.add(std::string(field.name_string()), std::string(field.value()));
  return request;
}

}  // namespace

struct RequestParser::Impl {
  http::request_parser<http::string_body> parser;
  std::size_t headerLimit, bodyLimit;
  std::size_t headCost = 0;  // of what was taken
  boost::system::error_code error;
  bool headTaken = false, expectationAnswered = false;

  // One step of the parser: how much it took from the front of `bytes`. Beast's own limit is of one step alone.
  std::size_t put(std::string_view bytes, boost::system::error_code& ec) {
    const bool inHead = !parser.is_header_done();
    const auto taken = parser.put(boost::asio::buffer(bytes), ec);
    if (!inHead) return taken;
    headCost += costOf(bytes.substr(0, taken));
    if (ec && ec != http::error::need_more) return taken;
    const auto unfinished = parser.is_header_done() ? 0 : costOf(bytes.substr(taken));
    if (headCost + unfinished > headerLimit) ec = http::error::header_limit;
    return taken;
  }
};

RequestParser::RequestParser(std::size_t headerLimit, std::size_t bodyLimit) : impl_(std::make_unique<Impl>()) {
  impl_->headerLimit = headerLimit;
  impl_->bodyLimit = bodyLimit;
  impl_->parser.header_limit(static_cast<std::uint32_t>(headerLimit));
  impl_->parser.body_limit(bodyLimit);
  impl_->parser.eager(false);  // a put() ends with the head at the latest
}

RequestParser::~RequestParser() = default;

RequestParser::State RequestParser::feed(std::string& input) {
  auto& parser = impl_->parser;
  std::size_t used = 0;
  while (!parser.is_done() && used < input.size()) {
    if (parser.is_header_done() && parser.chunked() && input.size() - used < kLastChunk.size()) break;
    boost::system::error_code error;
    const auto taken = impl_->put(std::string_view(input).substr(used), error);
    used += taken;
    if (error == http::error::need_more || (!error && taken == 0)) break;
    if (error) {
      impl_->error = error;
      input.clear();
      return State::refused;
    }
  }
  input.erase(0, used);
  return parser.is_done() ? State::done : State::needMore;
}

HttpResponse RequestParser::refusal() const {
  const auto answer = [](int status, std::string text) {
    return HttpResponse{status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
  };
  if (impl_->error == http::error::body_limit) {
    return answer(413, fmt::format("Request entity too large: limit is {}", impl_->bodyLimit));
  }
  if (impl_->error == http::error::header_limit) return answer(431, "Request header fields too large");
  return answer(400, "Bad request: " + impl_->error.message());
}

bool RequestParser::takeExpectation() {
  const auto& parser = impl_->parser;
  if (impl_->expectationAnswered || !parser.is_header_done() || parser.is_done()) return false;
  impl_->expectationAnswered = true;
  return boost::beast::iequals(parser.get()[http::field::expect], "100-continue");
}

std::optional<ServerRequest> RequestParser::takeHead() {
  const auto& parser = impl_->parser;
  if (!parser.is_header_done() || parser.is_done() || std::exchange(impl_->headTaken, true)) return std::nullopt;
  return headOf(parser.get());
}

ServerRequest RequestParser::take() {
  auto message = impl_->parser.release();
  ServerRequest request = headOf(message);
  request.body = std::move(message.body());
  return request;
}

bool RequestParser::keepAlive() const { return impl_->parser.keep_alive(); }
bool RequestParser::http10() const { return impl_->parser.get().version() < 11; }

std::string reasonFor(int status) {
  return std::string(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status))));
}

}  // namespace ingot::net
