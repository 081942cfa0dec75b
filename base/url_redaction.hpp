// What of URLs in the middle of texts may be logged or shown.
#pragma once

#include <string>
#include <string_view>

namespace ingot::base {

// *** for user and password of every URL, also where a password holds what has to be escaped there ("/", "?", "#", a
// quote). What can be a password is taken for one: of http://h:80/a@b the port and the path are lost, too.
[[nodiscard]] std::string withoutUserInfo(std::string_view text);

// The same of the address of a BMC, which needs no scheme and is nothing else.
[[nodiscard]] std::string addressWithoutUserInfo(std::string_view address);

// *** for the query of every URL.
[[nodiscard]] std::string withoutQueries(std::string_view text);

// Whether a quote right before `at` may close what it stands around: what follows does not stand in a password.
[[nodiscard]] bool mayFollowQuote(std::string_view text, std::size_t at);

}  // namespace ingot::base
