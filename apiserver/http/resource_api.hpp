// Requests about objects: get, list, watch, create, update, patch, delete.
#pragma once

#include "apiserver/http/auth.hpp"
#include "apiserver/http/event_lines.hpp"
#include "apiserver/http/query.hpp"
#include "apiserver/http/rendering.hpp"
#include "apiserver/http/reply.hpp"
#include "apiserver/http/route.hpp"
#include "base/runtime.hpp"

namespace ingot::apiserver {

// One request under way. Lives in the handler's coroutine.
struct Call {
  const net::ServerRequest& request;
  Route route;
  Query query;
  User user;
  ReplyStyle style;
};

class ResourceApi {
 public:
  ResourceApi(base::Runtime runtime, Registry& registry, const Catalog& catalog, const std::vector<BearerToken>& tokens)
      : runtime_(std::move(runtime)), registry_(registry), catalog_(catalog), tokens_(tokens) {}

  // Throws ApiError. A watch or a long list goes out through `out` itself; nullopt then.
  [[nodiscard]] base::Task<std::optional<net::HttpResponse>> answer(Call& call, net::Responder& out);

 private:
  [[nodiscard]] base::Task<net::HttpResponse> get(Call& call, const ResourceInfo& info);
  [[nodiscard]] base::Task<std::optional<net::HttpResponse>> list(Call& call, const ResourceInfo& info,
                                                                  net::Responder& out);
  [[nodiscard]] base::Task<net::HttpResponse> create(Call& call, const ResourceInfo& info);
  [[nodiscard]] base::Task<net::HttpResponse> update(Call& call, const ResourceInfo& info);
  [[nodiscard]] base::Task<net::HttpResponse> patch(Call& call, const ResourceInfo& info);
  [[nodiscard]] base::Task<net::HttpResponse> remove(Call& call, const ResourceInfo& info);
  [[nodiscard]] base::Task<std::optional<net::HttpResponse>> removeCollection(Call& call, const ResourceInfo& info,
                                                                              net::Responder& out);
  [[nodiscard]] base::Task<void> watch(Call& call, const ResourceInfo& info, net::Responder& out);
  [[nodiscard]] EventLines::Line line(Rendering& form, std::optional<EventLines::Form> shared, const WatchEvent& event);
  [[nodiscard]] net::HttpResponse review(Call& call, std::string_view kind) const;

  [[nodiscard]] Rendering rendering(Call& call, const ResourceInfo& info, Answer answer) const;
  [[nodiscard]] net::HttpResponse written(Call& call, const ResourceInfo& info, const Written& written, int code) const;
  // Warnings; under strict validation the refusal, which needs to know what else is wrong: `attempt` is the request as
  // a dry run.
  [[nodiscard]] base::Task<void> noteDuplicates(Call& call, const ResourceInfo& info,
                                                const std::vector<std::string>& duplicates, FieldValidation how,
                                                bool patch, std::function<base::Task<Written>()> attempt);

  base::Runtime runtime_;
  Registry& registry_;
  const Catalog& catalog_;
  const std::vector<BearerToken>& tokens_;
  EventLines lines_;
};

}  // namespace ingot::apiserver
