#include "apiserver/http/reply.hpp"

#include "apiserver/http/query.hpp"
#include "apiserver/http/warnings.hpp"
#include "base/utf8.hpp"
#include "json/yaml.hpp"

namespace ingot::apiserver {

namespace {

bool isPerson(std::string_view agent) {
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla");
}

// Indented, members in the order they have.
void indent(const json::Value& v, std::string& out, std::size_t depth) {
  const auto line = [&](std::size_t at) { out += "\n" + std::string(at * 2, ' '); };
  if (v.is_object() && !v.get_object().empty()) {
    char before = '{';
    for (const auto& [name, value] : v.get_object()) {
      out += std::exchange(before, ',');
      line(depth + 1);
      out += json::serialize(json::Value(name)) + ": ";
      indent(value, out, depth + 1);
    }
    line(depth);
    out += '}';
  } else if (v.is_array() && !v.get_array().empty()) {
    char before = '[';
    for (const auto& item : v.get_array()) {
      out += std::exchange(before, ',');
      line(depth + 1);
      indent(item, out, depth + 1);
    }
    line(depth);
    out += ']';
  } else {
    out += json::serialize(v);
  }
}

}  // namespace

ReplyStyle replyStyle(const net::ServerRequest& request, base::Random& random) {
  const Query query(request.query());
  return {.pretty = query.has("pretty") ? query.flag("pretty") : isPerson(request.headers.get("User-Agent")),
          .yaml = false,
          .head = request.method == "HEAD",
          .auditId = random.uuid(),
          .warnings = {}};
}

net::Headers commonHeaders(const ReplyStyle& style) {
  net::Headers headers{{"Audit-Id", style.auditId}, {"Cache-Control", "no-cache, private"}};
  for (auto& warning : warningHeaders(style.warnings)) headers.add("Warning", std::move(warning));
  return headers;
}

net::Headers documentHeaders(const ReplyStyle& style) {
  net::Headers headers = commonHeaders(style);
  headers.set("Content-Type", style.yaml ? "application/yaml" : "application/json");
  return headers;
}

net::HttpResponse jsonReply(int code, std::string body, const ReplyStyle& style) {
  net::HttpResponse out{.status = code, .headers = documentHeaders(style), .body = std::move(body)};
  const json::ParseLimits own{.bytes = out.body.size() + 1, .depth = 256};
  if (style.yaml) {
    out.body = json::toYaml(json::parse(out.body, own));
    return out;
  }
  if (style.pretty) out.body = indented(json::parse(out.body, own));
  out.body += '\n';
  return out;
}

std::string indented(const json::Value& v, std::size_t depth) {
  std::string out;
  indent(v, out, depth);
  return out;
}

net::HttpResponse statusReply(const Status& status, const ReplyStyle& style) {
  // The message may repeat what the client sent, such as a path with %ff, which is no UTF-8.
  net::HttpResponse out = jsonReply(status.code, base::toUtf8(json::serialize(status.toJson())), style);
  if (status.details && status.details->retryAfterSeconds > 0)
    out.headers.set("Retry-After", std::to_string(status.details->retryAfterSeconds));
  return out;
}

net::HttpResponse textReply(int code, std::string text, const ReplyStyle& style) {
  net::HttpResponse out{.status = code, .headers = commonHeaders(style), .body = std::move(text)};
  out.headers.set("Content-Type", "text/plain; charset=utf-8");
  out.headers.set("X-Content-Type-Options", "nosniff");
  return out;
}

net::HttpResponse noSuchPage(const ReplyStyle& style) { return textReply(404, "404 page not found\n", style); }

}  // namespace ingot::apiserver
