#include "apiserver/registry/errors.hpp"

#include "base/url_text.hpp"

namespace ingot::apiserver {
namespace {

using base::url_text::quoted;  // names in messages, as upstream writes them

ApiError failure(int code, std::string reason, std::string message, std::optional<StatusDetails> details = {}) {
  Status status;
  status.code = code;
  status.reason = std::move(reason);
  status.message = std::move(message);
  status.details = std::move(details);
  return ApiError(std::move(status));
}

StatusDetails about(const ResourceInfo& info, std::string_view name) {
  return {.name = std::string(name), .group = info.group, .kind = info.plural};
}

std::string kindText(const ResourceInfo& info) { return info.group.empty() ? info.kind : info.kind + "." + info.group; }

std::string listed(const std::vector<StatusCause>& causes) {
  std::string text;
  for (const auto& cause : causes) {
    if (!text.empty()) text += ", ";
    text += cause.field + ": " + cause.message;
  }
  return causes.size() > 1 ? "[" + text + "]" : text;
}

}  // namespace

ApiError badRequest(std::string message) { return failure(400, "BadRequest", std::move(message)); }

ApiError notFound(const ResourceInfo& info, std::string_view name) {
  return failure(404, "NotFound", fmt::format("{} {} not found", info.id().text(), quoted(name)), about(info, name));
}

ApiError unknownResource() {
  return failure(404, "NotFound", "the server could not find the requested resource", StatusDetails{});
}

ApiError methodNotAllowed() {
  return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource",
                 StatusDetails{});
}

ApiError alreadyExists(const ResourceInfo& info, std::string_view name, bool beingDeleted) {
  return failure(409, "AlreadyExists",
                 fmt::format("{}{} {} already exists", beingDeleted ? "object is being deleted: " : "",
                             info.id().text(), quoted(name)),
                 about(info, name));
}

ApiError staleWrite(const ResourceInfo& info, std::string_view name) {
  return conflict(info, name,
                  "the object has been modified; please apply your changes to the latest version and try again");
}

ApiError conflict(const ResourceInfo& info, std::string_view name, std::string_view problem) {
  return failure(409, "Conflict",
                 fmt::format("Operation cannot be fulfilled on {} {}: {}", info.id().text(), quoted(name), problem),
                 about(info, name));
}

ApiError preconditionFailed(const ResourceInfo& info, std::string_view name, std::string_view problem) {
  auto details = about(info, name);
  details.kind = info.kind;
  return failure(409, "Conflict",
                 fmt::format("Operation cannot be fulfilled on {} {}: {}", kindText(info), quoted(name), problem),
                 std::move(details));
}

ApiError forbidden(const ResourceInfo& info, std::string_view name, std::string_view problem) {
  return failure(403, "Forbidden", fmt::format("{} {} is forbidden: {}", info.id().text(), quoted(name), problem),
                 about(info, name));
}

ApiError namespaceTerminating(const ResourceInfo& info, std::string_view name, std::string_view space) {
  auto details = about(info, name);
  details.causes.push_back(
      {"NamespaceTerminating", fmt::format("namespace {} is being terminated", space), "metadata.namespace"});
  return failure(
      403, "Forbidden",
      fmt::format("{} {} is forbidden: unable to create new content in namespace {} because it is being terminated",
                  info.id().text(), quoted(name), space),
      std::move(details));
}

ApiError invalid(const ResourceInfo& info, std::string_view name, std::vector<StatusCause> causes) {
  std::string message = fmt::format("{} {} is invalid: {}", kindText(info), quoted(name), listed(causes));
  return failure(
      422, "Invalid", std::move(message),
      StatusDetails{.name = std::string(name), .group = info.group, .kind = info.kind, .causes = std::move(causes)});
}

ApiError invalidOptions(std::string_view kind, std::vector<StatusCause> causes) {
  std::string message = fmt::format("{}.meta.k8s.io \"\" is invalid: {}", kind, listed(causes));
  return failure(422, "Invalid", std::move(message),
                 StatusDetails{.group = "meta.k8s.io", .kind = std::string(kind), .causes = std::move(causes)});
}

ApiError versionRequired(const ResourceInfo& info, std::string_view name) {
  std::vector<StatusCause> causes{
      invalidValue("metadata.resourceVersion", info.custom ? "0" : "\"\"", "must be specified for an update")};
  std::string message = fmt::format("{} {} is invalid: {}", info.id().text(), quoted(name), listed(causes));
  auto details = about(info, name);
  details.causes = std::move(causes);
  return failure(422, "Invalid", std::move(message), std::move(details));
}

ApiError expired(std::string message, std::string continueToken) {
  Status status;
  status.code = 410;
  status.reason = "Expired";
  status.message = std::move(message);
  status.continueToken = std::move(continueToken);
  return ApiError(std::move(status));
}

ApiError futureRevision(std::string_view asked, Revision current) {
  StatusDetails details;
  details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  details.retryAfterSeconds = 1;
  return failure(504, "Timeout", fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current),
                 std::move(details));
}

ApiError entityTooLarge() {
  return failure(413, "RequestEntityTooLarge", fmt::format("Request entity too large: limit is {}", kObjectBytes));
}

ApiError internalError(std::string_view problem) {
  StatusDetails details;
  details.causes.push_back({"", std::string(problem), ""});
  return failure(500, "InternalError", fmt::format("Internal error occurred: {}", problem), std::move(details));
}

ApiError storeRefused(const StoreError& error) {
  StatusDetails retry;
  retry.retryAfterSeconds = 1;
  switch (error.code()) {
    case StoreError::Code::overloaded:
      return failure(429, "TooManyRequests", fmt::format("Too many requests: {}", error.what()), retry);
    case StoreError::Code::full:
      return failure(507, "InsufficientStorage", fmt::format("the write was refused: {}", error.what()),
                     StatusDetails{});
    case StoreError::Code::closed: return failure(503, "ServiceUnavailable", "the server is shutting down", retry);
    case StoreError::Code::stale:
    case StoreError::Code::expired:
    case StoreError::Code::failed: return internalError(error.what());
  }
  std::unreachable();
}

}  // namespace ingot::apiserver
