// Bytes into requests, however they come.
#include "net/beast/request_parser.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using net::RequestParser;

namespace {

// What the parser makes of `pieces`, which together are one request: its body, or the status that it is refused with.
std::string bodyOf(const std::vector<std::string>& pieces) {
  RequestParser parser(1024, 512);
  std::string input;
  for (const auto& piece : pieces) {
    input += piece;
    const auto state = parser.feed(input);
    if (state == RequestParser::State::refused) return std::to_string(parser.refusal().status);
    if (state == RequestParser::State::done) return parser.take().body;
  }
  return "waits for more";
}

}  // namespace

TEST_CASE("a chunked request is the same however its bytes come, and nobody's bytes end the process", "[server]") {
  const auto [body, expected] = GENERATE(table<std::string, std::string>({
      {"0\r\n\r\n", ""},
      {"0;x=y\r\n\r\n", ""},
      {"0\r\nTrailer: field\r\n\r\n", ""},
      {"1\r\na\r\n0\r\n\r\n", "a"},
      {"00002\r\nab\r\n1\r\nc\r\n00\r\n\r\n", "abc"},
      {"0\r\na", "waits for more"},
      {"1\r\na\r\n0\r\n", "waits for more"},
      {"0\r\nno field\r\n\r\n", "400"},
      {"zz\r\n\r\n", "400"},
      {"1\r\nab\r\n0\r\n\r\n", "400"},
  }));
  CAPTURE(body);
  const std::string request = "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
  CHECK(bodyOf({request}) == expected);
  std::vector<std::string> bytes;
  for (const char byte : request) bytes.emplace_back(1, byte);
  CHECK(bodyOf(bytes) == expected);
  for (std::size_t first = 0; first <= body.size(); ++first)
    for (std::size_t second = first; second <= body.size(); ++second) {
      const auto at = request.size() - body.size();
      CAPTURE(first, second);
      CHECK(bodyOf({request.substr(0, at + first), request.substr(at + first, second - first),
                    request.substr(at + second)}) == expected);
    }
}

TEST_CASE("a head has a limit however its bytes come", "[server]") {
  const std::string start = "GET / HTTP/1.1\r\n";
  const auto heads = [&](const std::string& piece, std::size_t times) {
    std::vector<std::string> pieces{start + piece.substr(piece.size() - 1)};  // each ends one byte behind a line's end
    for (std::size_t n = 0; n < times; ++n) pieces.push_back(piece);
    return pieces;
  };
  CHECK(bodyOf(heads(":\r\nA", 25)) == "waits for more");
  CHECK(bodyOf(heads(":\r\nA", 1000)) == "431");
  CHECK(bodyOf(heads(": " + std::string(100, 'x') + "\r\nA", 1000)) == "431");
  CHECK(bodyOf({start + "A: " + std::string(2000, 'x')}) == "431");
  CHECK(bodyOf({start + "A: " + std::string(2000, 'x') + "\r\n\r\n"}) == "431");
  CHECK(bodyOf({start, "A: " + std::string(900, 'x') + "\r\n\r\n"}).empty());
}
