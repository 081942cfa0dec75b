#include "cli/outcome.hpp"

#include "cli/words/plain_text.hpp"
#include "kube/core/error.hpp"

namespace ingot::cli {
namespace {

using Code = kube::Error::Code;

ExitCode exitCodeOf(Code code) {
  switch (code) {
    case Code::notFound: return ExitCode::notFound;
    case Code::unauthorized:
    case Code::unreachable:
    case Code::interrupted:
    case Code::untrusted:
    case Code::badAnswer: return ExitCode::unreachable;
    case Code::badRequest:
    case Code::forbidden:
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
    case Code::serverTimeout: return ExitCode::failed;
  }
  return ExitCode::failed;
}

// What the user can do; "" where the server's own words say it.
std::string advice(Code code, const std::string& server) {
  switch (code) {
    case Code::unreachable:
      return fmt::format("if {} is not the right server, choose it by --kubeconfig or --context", server);
    case Code::interrupted: return "the connection broke: look at the object before you try again";
    case Code::untrusted: return fmt::format("the kubeconfig's certificate-authority does not vouch for {}", server);
    case Code::unauthorized:
      return "the server does not accept these credentials: use another --context or --kubeconfig";
    case Code::badAnswer: return fmt::format("{} does not answer like a Kubernetes API", server);
    case Code::conflict: return "somebody else changed it meanwhile: try again";
    case Code::tooManyRequests:
    case Code::unavailable:
    case Code::serverTimeout: return "the server is busy: try again";
    case Code::internal: return "the server's log says more";
    case Code::notFound:
    case Code::badRequest:
    case Code::forbidden:
    case Code::methodNotAllowed:
    case Code::alreadyExists:
    case Code::gone:
    case Code::tooLarge:
    case Code::unsupportedMediaType:
    case Code::invalid: return "";
  }
  return "";
}

Failure explainKube(const kube::Error& e, const std::string& server) {
  if (isPathUnknown(e))
    return {ExitCode::failed,
            plainText(e.what()) + ": the server does not serve this kind; are Ingot's CRDs installed?"};
  const std::string hint = advice(e.code(), server);
  return {exitCodeOf(e.code()), plainText(e.what()) + (hint.empty() ? "" : "; " + hint)};
}

}  // namespace

bool isPathUnknown(const kube::Error& error) {
  return error.code() == Code::notFound && error.status().reason != "NotFound";
}

Failure explain(const std::exception& error, const std::string& server) {
  if (const auto* failure = dynamic_cast<const Failure*>(&error)) return *failure;
  if (const auto* kube = dynamic_cast<const kube::Error*>(&error)) return explainKube(*kube, server);
  if (dynamic_cast<const base::TimedOut*>(&error)) return {ExitCode::timedOut, plainText(error.what())};
  return {ExitCode::failed, plainText(error.what())};
}

}  // namespace ingot::cli
