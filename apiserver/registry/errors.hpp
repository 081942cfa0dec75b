// The refusals of the registry, in upstream's words (spec/kubernetes-api.md §5).
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "apiserver/registry/status.hpp"
#include "apiserver/store/store.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

[[nodiscard]] ApiError badRequest(std::string message);
[[nodiscard]] ApiError notFound(const ResourceInfo& info, std::string_view name);
[[nodiscard]] ApiError unknownResource();
[[nodiscard]] ApiError methodNotAllowed();
[[nodiscard]] ApiError alreadyExists(const ResourceInfo& info, std::string_view name, bool beingDeleted = false);
// The lost race of optimistic concurrency.
[[nodiscard]] ApiError staleWrite(const ResourceInfo& info, std::string_view name);
// 409 with a text of its own after "Operation cannot be fulfilled on …: ".
[[nodiscard]] ApiError conflict(const ResourceInfo& info, std::string_view name, std::string_view problem);
// 409 of a delete precondition: names the Kind, not the resource.
[[nodiscard]] ApiError preconditionFailed(const ResourceInfo& info, std::string_view name, std::string_view problem);
[[nodiscard]] ApiError forbidden(const ResourceInfo& info, std::string_view name, std::string_view problem);
[[nodiscard]] ApiError namespaceTerminating(const ResourceInfo& info, std::string_view name, std::string_view space);

// 422. `kind`: what the message and details name; causes as they are, message built from them.
[[nodiscard]] ApiError invalid(const ResourceInfo& info, std::string_view name, std::vector<StatusCause> causes);
// The same for options objects ("ListOptions.meta.k8s.io \"\" is invalid").
[[nodiscard]] ApiError invalidOptions(std::string_view kind, std::vector<StatusCause> causes);
// 422 whose details name the plural resource: a PUT without resourceVersion.
[[nodiscard]] ApiError versionRequired(const ResourceInfo& info, std::string_view name);

[[nodiscard]] ApiError expired(std::string message, std::string continueToken = {});
[[nodiscard]] ApiError futureRevision(std::string_view asked, Revision current);
// 413: a body, or what it would make of an object.
[[nodiscard]] ApiError entityTooLarge();
[[nodiscard]] ApiError internalError(std::string_view problem);
// What a client is told when the store refuses; `stale` must have been dealt with before.
[[nodiscard]] ApiError storeRefused(const StoreError& error);

}  // namespace ingot::apiserver
