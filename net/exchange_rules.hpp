// What both transports ask of a request before they send it, and how they name it in errors.
#pragma once

#include "base/sync.hpp"
#include "net/client.hpp"
#include "net/url.hpp"

#include <string>

namespace ingot::net {

// The base URL of a client, checked once: http or https, no credentials, no query. Throws HttpError{badRequest}.
struct Origin {
  Url url;
  std::string prefix;  // the base URL's path without the '/' at its end

  [[nodiscard]] static Origin parse(const std::string& baseUrl);
  // Path and query to send for `request.target`. Throws HttpError{badRequest} for another origin.
  [[nodiscard]] std::string resolve(const std::string& target) const;
};

// Throws HttpError{badRequest} for what would break the message apart (line ends in a header, blanks in a target).
void checkSendable(const HttpRequest& request, const std::string& target);

// "GET https://host:port/path": without the query, which may hold a token.
[[nodiscard]] std::string nameOf(const HttpRequest& request, const Origin& origin, const std::string& target);

// A connection of a client that has `limit` of them; the wait for it counts against the request's deadline.
[[nodiscard]] base::Task<base::Semaphore::Units> acquireConnection(base::Semaphore& connections, base::Clock& clock,
                                                                   base::MonoTime deadline, std::string name);

}  // namespace ingot::net
