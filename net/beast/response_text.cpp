#include "net/beast/response_text.hpp"

#include "net/beast/request_parser.hpp"

#include <algorithm>

namespace ingot::net {
namespace {

bool isFraming(std::string_view name) {
  return sameHeaderName(name, "Content-Length") || sameHeaderName(name, "Transfer-Encoding") ||
         sameHeaderName(name, "Connection");
}

void appendClean(std::string& out, std::string_view text) {
  std::transform(text.begin(), text.end(), std::back_inserter(out),
                 [](char c) { return c == '\r' || c == '\n' || c == '\0' ? ' ' : c; });
}

}  // namespace

bool mayHaveBody(int status) { return status >= 200 && status != 204 && status != 304; }

std::string responseHead(int status, const Headers& headers, const Framing& framing) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", status, reasonFor(status));
  for (const auto& [name, value] : headers.all()) {
    if (isFraming(name)) continue;
    appendClean(head, name);
    head += ": ";
    appendClean(head, value);
    head += "\r\n";
  }
  if (framing.length && mayHaveBody(status)) head += fmt::format("Content-Length: {}\r\n", *framing.length);
  if (framing.chunked && mayHaveBody(status)) head += "Transfer-Encoding: chunked\r\n";
  if (framing.close) head += "Connection: close\r\n";
  return head + "\r\n";
}

}  // namespace ingot::net
