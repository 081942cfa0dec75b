// Answers in Kubernetes' form.
#pragma once

#include "apiserver/registry/status.hpp"
#include "base/random.hpp"
#include "net/http.hpp"
#include "net/server.hpp"

#include <string>
#include <vector>

namespace ingot::apiserver {

// How this client wants to read: set once per request.
struct ReplyStyle {
  bool pretty = false;
  bool yaml = false;
  bool head = false;  // nothing of the body
  std::string auditId;
  std::vector<std::string> warnings;
};

[[nodiscard]] ReplyStyle replyStyle(const net::ServerRequest& request, base::Random& random);
// Headers that every answer carries.
[[nodiscard]] net::Headers commonHeaders(const ReplyStyle& style);
// The same with the type of the style's layout.
[[nodiscard]] net::Headers documentHeaders(const ReplyStyle& style);
// `body`: JSON text.
[[nodiscard]] net::HttpResponse jsonReply(int code, std::string body, const ReplyStyle& style);
[[nodiscard]] net::HttpResponse statusReply(const Status& status, const ReplyStyle& style);
[[nodiscard]] net::HttpResponse textReply(int code, std::string text, const ReplyStyle& style);
// JSON text for people: members in the order they have, lines after the first one `depth` steps further in.
[[nodiscard]] std::string indented(const json::Value& v, std::size_t depth = 0);
// "404 page not found": a path that nobody serves.
[[nodiscard]] net::HttpResponse noSuchPage(const ReplyStyle& style);

}  // namespace ingot::apiserver
