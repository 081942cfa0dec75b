#include "kube/client/transport_error.hpp"

namespace ingot::kube {
namespace {

Error::Code codeOf(net::HttpError::Code code) {
  switch (code) {
    case net::HttpError::Code::unreachable: return Error::Code::unreachable;
    case net::HttpError::Code::reset:
    case net::HttpError::Code::timeout: return Error::Code::interrupted;
    case net::HttpError::Code::tls: return Error::Code::untrusted;
    case net::HttpError::Code::bodyTooLarge:
    case net::HttpError::Code::badRequest:
    case net::HttpError::Code::protocol: return Error::Code::badAnswer;
  }
  return Error::Code::badAnswer;
}

}  // namespace

Error errorFrom(const net::HttpError& why, const std::string& doing) {
  return Error(codeOf(why.code()), doing + ": " + why.what());
}

}  // namespace ingot::kube
