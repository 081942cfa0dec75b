#include "coordinator/workload/failure.hpp"

namespace ingot::coordinator::workload {
namespace {

Unknown::Reason reasonOf(kube::Error::Code code) {
  using Code = kube::Error::Code;
  using Reason = Unknown::Reason;
  switch (code) {
    case Code::unauthorized: return Reason::unauthorized;
    case Code::unreachable:
    case Code::interrupted: return Reason::unreachable;
    case Code::untrusted: return Reason::untrusted;
    case Code::forbidden: return Reason::forbidden;
    case Code::badRequest:
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

// What the transport says, and what that is in words of ours. Its own differ each time ("after 3 ms"), and a server
// chooses some of them: the names in its certificate. What is looked for has a space, which no address has.
struct Cause {
  std::string_view said, words;
};
constexpr Cause causes[] = {
    {"resolve host", "its name cannot be resolved"},
    {"resolve proxy", "the name of the proxy cannot be resolved"},
    {"CONNECT ", "the proxy makes no tunnel to it"},
    {"connect to server", "no connection comes about"},
    {"in time", "no answer in time"},
    {"silent for too long", "no answer in time"},
    {"certificate has expired", "its certificate has expired"},
    {"certificate is not yet valid", "its certificate is not valid yet"},
    {"self-signed certificate in", "its certificate is not signed by the CA of the kubeconfig"},
    {"self-signed certificate", "its certificate is self-signed"},
    {"issuer certificate", "its certificate is not signed by the CA of the kubeconfig"},
    {"verify the first certificate", "its certificate is not signed by the CA of the kubeconfig"},
    {"target host", "its certificate is for another name"},
};

std::string_view wordsFor(const kube::Error& error) {
  const std::string_view text = error.what();
  for (const auto& [said, words] : causes)
    if (text.find(said) != std::string_view::npos) return words;
  if (error.code() == kube::Error::Code::unreachable) return "there is no way to it";
  return error.code() == kube::Error::Code::untrusted ? "TLS does not come about" : "the connection broke";
}

std::string textOf(const kube::Error& error, const kube::ClusterConfig& config, std::string_view doing) {
  switch (reasonOf(error.code())) {
    case Unknown::Reason::unreachable: return fmt::format("{} does not answer: {}", config.server, wordsFor(error));
    case Unknown::Reason::untrusted: return fmt::format("{} is not trusted: {}", config.server, wordsFor(error));
    case Unknown::Reason::unauthorized:
      return fmt::format("{} does not accept the credentials of the kubeconfig", config.server);
    case Unknown::Reason::noKubeconfig:
    case Unknown::Reason::kubeconfigRefused:
    case Unknown::Reason::connecting:
    case Unknown::Reason::forbidden:
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
