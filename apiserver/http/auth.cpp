#include "apiserver/http/auth.hpp"

#include "apiserver/registry/errors.hpp"
#include "base/text.hpp"

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

void refuseImpersonation(const net::ServerRequest& request) {
  constexpr std::string_view kPrefix = "Impersonate-";
  const auto& all = request.headers.all();
  const bool asked = std::any_of(all.begin(), all.end(), [&](const auto& header) {
    return net::sameHeaderName(std::string_view(header.first).substr(0, kPrefix.size()), kPrefix);
  });
  if (!asked) return;
  const std::string user = request.headers.get("Impersonate-User");
  if (user.empty()) throw badRequest("impersonation without Impersonate-User; this server supports none at all");
  Status status{.code = 403, .reason = "Forbidden"};
  status.message = fmt::format("users \"{}\" is forbidden: this server supports no impersonation", user);
  status.details = StatusDetails{.name = user, .kind = "users"};
  throw ApiError(std::move(status));
}

std::optional<User> authenticate(const net::ServerRequest& request, const std::vector<BearerToken>& tokens) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string header = request.headers.get("Authorization");
  if (!request.peer.commonName.empty()) return withAuthenticated({request.peer.commonName, request.peer.organizations});
  if (header.starts_with(kBearer)) return userOf(std::string_view(header).substr(kBearer.size()), tokens);
  return std::nullopt;
}

}  // namespace ingot::apiserver
