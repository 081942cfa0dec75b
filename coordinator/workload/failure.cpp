#include "coordinator/workload/failure.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"

namespace ingot::coordinator::workload {
namespace {

constexpr std::size_t kDetailLimit = 200;

Unknown::Reason reasonOf(kube::Error::Code code) {
  using Code = kube::Error::Code;
  using Reason = Unknown::Reason;
  switch (code) {
    case Code::unauthorized: return Reason::unauthorized;
    case Code::unreachable:
    case Code::interrupted: return Reason::unreachable;
    case Code::untrusted: return Reason::untrusted;
    case Code::badRequest:
    case Code::forbidden:
    case Code::notFound:
    case Code::methodNotAllowed:
    case Code::conflict:
    case Code::alreadyExists:
    case Code::gone:
    case Code::tooLarge:
    case Code::unsupportedMediaType:
    case Code::invalid:
    case Code::tooManyRequests:
    case Code::internal:
    case Code::unavailable:
    case Code::serverTimeout:
    case Code::badAnswer: return Reason::failing;
  }
  return Reason::failing;
}

// What the transport says, behind the address of what was asked for.
std::string detailOf(const kube::Error& error, const kube::ClusterConfig& config) {
  std::string text = error.what();
  if (const auto url = text.rfind("://"); url != std::string::npos)
    if (const auto colon = text.find(": ", url); colon != std::string::npos) text.erase(0, colon + 2);
  text = base::redacted(base::redacted(std::move(text), config.token), config.basicPassword);
  return base::cutText(std::move(text), kDetailLimit);
}

std::string textOf(const kube::Error& error, const kube::ClusterConfig& config, std::string_view doing) {
  switch (reasonOf(error.code())) {
    case Unknown::Reason::unreachable:
      return fmt::format("{} does not answer: {}", config.server, detailOf(error, config));
    case Unknown::Reason::untrusted:
      return fmt::format("{} is not trusted: {}", config.server, detailOf(error, config));
    case Unknown::Reason::unauthorized:
      return fmt::format("{} does not accept the credentials of the kubeconfig", config.server);
    case Unknown::Reason::noKubeconfig:
    case Unknown::Reason::kubeconfigRefused:
    case Unknown::Reason::connecting:
    case Unknown::Reason::failing: break;
  }
  return fmt::format("{} gave no usable answer when {} ({})", config.server, doing, kube::nameOf(error.code()));
}

}  // namespace

Unknown unknownAfter(const kube::Error& error, const kube::ClusterConfig& config, std::string_view doing) {
  return {reasonOf(error.code()), textOf(error, config, doing)};
}

kube::Error inOurWords(const kube::Error& error, const kube::ClusterConfig& config, std::string_view doing) {
  return {error.code(), textOf(error, config, doing)};
}

}  // namespace ingot::coordinator::workload
