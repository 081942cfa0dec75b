#include "net/exchange_rules.hpp"

#include "base/cut_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::net {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw HttpError(HttpError::Code::badRequest, text); }

bool isToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7f &&
           std::string_view("\"(),/:;<=>?@[\\]{}").find(c) == std::string_view::npos;
  });
}

bool hasLineEnd(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

}  // namespace

Origin Origin::parse(const std::string& baseUrl) {
  const auto url = parseUrl(baseUrl);
  if (!url || (url->scheme != "http" && url->scheme != "https")) {
    // The text itself is not repeated: what is wrong with it may be a password inside.
    refuse("the base URL must look like https://host:port, without user name and password in it");
  }
  if (!url->query.empty()) refuse("the base URL " + url->origin() + " must not have a query");
  Origin origin{*url, url->path};
  while (origin.prefix.ends_with('/')) origin.prefix.pop_back();
  return origin;
}

std::string Origin::resolve(const std::string& target) const {
  if (target.find("://") == std::string::npos || target.starts_with('/')) {
    return prefix + (target.starts_with('/') ? "" : "/") + target;
  }
  const auto absolute = parseUrl(target);
  if (!absolute || absolute->origin() != url.origin()) {
    refuse(fmt::format("{} is not on {}, the only server this client speaks to",
                       absolute ? absolute->origin() : "the URL", url.origin()));
  }
  return absolute->path + (absolute->query.empty() ? "" : "?" + absolute->query);
}

void checkSendable(const HttpRequest& request, const std::string& target) {
  if (!isToken(request.method)) refuse("the method is not a word");
  const bool clean = std::all_of(target.begin(), target.end(),
                                 [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f && c != '#'; });
  if (!clean) refuse("the request target has characters that must be percent-encoded");
  for (const auto& [name, value] : request.headers.all()) {
    if (!isToken(name) || hasLineEnd(value)) refuse("the header '" + base::cutText(name, 40) + "' is not sendable");
  }
}

std::string nameOf(const HttpRequest& request, const Origin& origin, const std::string& target) {
  return fmt::format("{} {}{}", request.method, origin.url.origin(), target.substr(0, target.find('?')));
}

base::Task<base::Semaphore::Units> acquireConnection(base::Semaphore& connections, base::Clock& clock,
                                                     base::MonoTime deadline, std::string name) {
  if (connections.available() > 0 && connections.waiting() == 0) co_return co_await connections.acquire();
  try {
    co_return co_await base::withTimeout(clock, deadline - clock.now(), name, connections.acquire());
  } catch (const base::TimedOut&) {
    throw HttpError(HttpError::Code::timeout, name + ": every connection of this client stayed busy");
  }
}

}  // namespace ingot::net
