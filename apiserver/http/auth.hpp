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
// Refuses a request to act as another user (Impersonate-* headers): a server that ignored them would act with the
// rights of the caller. Throws ApiError (403, or 400 without a user).
void refuseImpersonation(const net::ServerRequest& request);
// The user a token stands for.
[[nodiscard]] std::optional<User> userOf(std::string_view token, const std::vector<BearerToken>& tokens);

}  // namespace ingot::apiserver
