// The reviews of authentication and authorization: who am I, may I, may he. Everybody authenticated may do everything,
// and nobody else anything but look at the health checks.
#pragma once

#include "apiserver/http/auth.hpp"
#include "json/value.hpp"

#include <string_view>

namespace ingot::apiserver {

// The review object with its status filled in. Throws ApiError (422) for a review of nobody.
[[nodiscard]] json::Value answerReview(std::string_view kind, json::Value review, const User& user,
                                       const std::vector<BearerToken>& tokens);

}  // namespace ingot::apiserver
