// What requests of a connection have in common, whichever way they are sent.
#pragma once

#include "bmc/error.hpp"
#include "net/client.hpp"

namespace ingot::bmc::redfish {

inline constexpr std::size_t bodyLimit = 4u << 20;  // the largest honest resource is some 200 KiB

[[nodiscard]] inline Error fromTransport(const net::HttpError& error) {
  using Code = net::HttpError::Code;
  switch (error.code()) {
    case Code::unreachable: return {Error::Code::unreachable, error.what()};
    case Code::reset:
    case Code::timeout: return {Error::Code::timeout, error.what()};
    case Code::tls: return {Error::Code::tls, error.what()};
    case Code::bodyTooLarge:
    case Code::badRequest:
    case Code::protocol: break;
  }
  return {Error::Code::protocol, error.what()};
}

[[nodiscard]] inline net::ClientOptions clientOptions(const std::string& baseUrl, const net::ClientTls& tls) {
  return {.baseUrl = baseUrl, .tls = tls, .maxConnections = 1, .userAgent = "ingot-agent"};
}

}  // namespace ingot::bmc::redfish
