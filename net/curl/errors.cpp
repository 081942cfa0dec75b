// CURLcodes into HttpError: the one table.
#include "net/curl/exchange.hpp"

#include <curl/curl.h>

namespace ingot::net::curl {
namespace {

using Code = HttpError::Code;

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A peer that dies during the handshake is a dead peer, not a wrong certificate.
bool peerVanished(const std::string& detail) {
  return contains(detail, "SSL_ERROR_SYSCALL") || contains(detail, "reset by peer");
}

// The proxy makes no way to the server: nothing was sent to that.
bool hasNoTunnel(const std::string& detail) {
  return detail.starts_with("CONNECT ") || detail.starts_with("Proxy CONNECT ");
}

Code codeFor(int code, const std::string& detail) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY:
    case CURLE_INTERFACE_FAILED: return Code::unreachable;
    case CURLE_OPERATION_TIMEDOUT: return Code::timeout;
    case CURLE_SSL_CONNECT_ERROR: return peerVanished(detail) ? Code::unreachable : Code::tls;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_USE_SSL_FAILED: return Code::tls;
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      if (hasNoTunnel(detail)) return Code::unreachable;
      // TLS 1.3 refuses a client certificate only after the handshake.
      return contains(detail, "alert") ? Code::tls : Code::reset;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_FAIL_REWIND: return Code::reset;
    case CURLE_FILESIZE_EXCEEDED: return Code::bodyTooLarge;
    case CURLE_URL_MALFORMAT:
    case CURLE_BAD_FUNCTION_ARGUMENT: return Code::badRequest;
    default: return Code::protocol;
  }
}

std::string_view adviceFor(Code code) {
  switch (code) {
    case Code::unreachable: return "is it running, and are address and port right?";
    case Code::reset: return "the server closed the connection before its whole answer";
    case Code::timeout: return "no answer in time";
    case Code::tls: return "check the CA, the client certificate and the names in the server's certificate";
    case Code::bodyTooLarge: return "the answer is too large";
    case Code::badRequest: return "the request cannot be sent";
    case Code::protocol: return "the answer is not HTTP";
  }
  return "";
}

}  // namespace

HttpError errorFor(int code, const std::string& detail, const std::string& name, bool tooLarge, std::size_t bodyLimit) {
  if (tooLarge || code == CURLE_FILESIZE_EXCEEDED) {
    return {Code::bodyTooLarge, fmt::format("{}: the answer is larger than {} bytes", name, bodyLimit)};
  }
  const auto mapped = codeFor(code, detail);
  const std::string reason = detail.empty() ? curl_easy_strerror(static_cast<CURLcode>(code)) : detail;
  return {mapped, fmt::format("{}: {} ({})", name, adviceFor(mapped), reason)};
}

}  // namespace ingot::net::curl
