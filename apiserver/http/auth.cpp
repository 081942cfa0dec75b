#include "apiserver/http/auth.hpp"

namespace ingot::apiserver {

namespace {

User withAuthenticated(User user) {
  user.groups.emplace_back("system:authenticated");
  return user;
}

}  // namespace

std::optional<User> userOf(std::string_view token, const std::vector<BearerToken>& tokens) {
  const base::Secret offered{std::string(token)};
  for (const auto& known : tokens)
    if (!known.token.empty() && known.token == offered) return withAuthenticated(known.user);
  return std::nullopt;
}

std::optional<User> authenticate(const net::ServerRequest& request, const std::vector<BearerToken>& tokens) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string header = request.headers.get("Authorization");
  if (!request.peer.commonName.empty()) return withAuthenticated({request.peer.commonName, request.peer.organizations});
  if (header.starts_with(kBearer)) return userOf(std::string_view(header).substr(kBearer.size()), tokens);
  return std::nullopt;
}

}  // namespace ingot::apiserver
