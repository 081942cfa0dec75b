// URLs as an HTTP request carries them, by Go's rules (net/url.ParseRequestURI).
#pragma once

#include <string>

namespace ingot::api {

// What is wrong with it, in Go's words; "" when nothing is. Stricter than a reference: an absolute URL or path.
[[nodiscard]] std::string requestUriProblem(const std::string& url);

// The same, and a scheme that images and firmware may come by.
[[nodiscard]] std::string downloadUrlProblem(const std::string& url);

}  // namespace ingot::api
