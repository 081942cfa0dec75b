#include "agent/host_file.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cctype>

namespace ingot::agent {

bool isHostFileName(const std::string& host) {
  return !host.empty() && host.size() <= 64 &&
         std::ranges::all_of(host, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

void requireHostFileName(const std::string& host) {
  if (!isHostFileName(host)) throw base::InvalidInput("host uid", "must be letters, digits and dashes, at most 64");
}

}  // namespace ingot::agent
