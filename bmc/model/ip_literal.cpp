#include "bmc/model/ip_literal.hpp"

#include <arpa/inet.h>

#include <array>
#include <string>

namespace ingot::bmc {

namespace {

bool parses(int family, std::string_view text) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return text.find('\0') == std::string_view::npos && inet_pton(family, std::string(text).c_str(), ignored.data()) == 1;
}

}  // namespace

bool isIpv4(std::string_view text) { return parses(AF_INET, text); }
bool isIpv6(std::string_view text) { return parses(AF_INET6, text); }

}  // namespace ingot::bmc
