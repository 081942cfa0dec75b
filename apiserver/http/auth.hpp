// Who is asking. Every authenticated user is an administrator in this server.
#pragma once

#include "base/secret.hpp"
#include "net/server.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct User {
  std::string name;
  std::vector<std::string> groups;
};

struct BearerToken {
  base::Secret token;
  User user;
};

// nullopt: nobody; the answer is 401. A certificate comes first, then a bearer token.
[[nodiscard]] std::optional<User> authenticate(const net::ServerRequest& request,
                                               const std::vector<BearerToken>& tokens);
// A server that ignored that somebody else was to be acted as would do it with the rights of the one who asks. Throws
// ApiError (403, or 400 without a user).
void refuseImpersonation(const net::ServerRequest& request);
// The user a token stands for.
[[nodiscard]] std::optional<User> userOf(std::string_view token, const std::vector<BearerToken>& tokens);

}  // namespace ingot::apiserver
