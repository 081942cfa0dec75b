#include "apiserver/http/resource_api.hpp"

#include "apiserver/discovery/virtual_resources.hpp"
#include "apiserver/http/body.hpp"
#include "apiserver/http/body_type.hpp"
#include "apiserver/http/list_pieces.hpp"
#include "apiserver/http/parameters.hpp"
#include "apiserver/http/reviews.hpp"
#include "apiserver/http/strictness.hpp"
#include "apiserver/registry/errors.hpp"
#include "base/yield.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kChunkBytes = 64u << 10;  // of a watch

bool knowsSubresource(const ResourceInfo& info, const std::string& name) {
  if (name.empty()) return true;
  if (name == "status") return info.custom || info.hasStatus(info.versions.front().name);
  return name == "finalize" && info.group.empty() && info.plural == "namespaces";
}

// A collection or an object of `info` (nullptr: no such kind) is at this path (spec/kubernetes-api.md §1.1).
bool leadsToObjects(const Route& route, std::string_view method, const ResourceInfo* info) {
  if (!info) return false;
  const ServedVersion* version = info->findVersion(route.target.version);
  if (!version || !version->served || !knowsSubresource(*info, route.target.subresource)) return false;
  if (info->namespaced == route.namespaced) return true;
  // All namespaces at once: lists and watches only. (A core kind answers other methods there with 405.)
  return info->namespaced && route.target.name.empty() && (method == "GET" || !info->custom);
}

// Unknown paths below it are answered as text, not as a Status.
bool isCustomGroup(const Registry& registry, std::string_view group) {
  for (const auto& one : virtualResources())
    if (one.group == group) return false;
  for (const auto& info : registry.resources())
    if (info->group == group && !info->custom) return false;
  return true;
}

// 405, or 400 for a write to a collection that lacks the name.
ApiError wrongMethod(const ResourceInfo& info, std::string_view method, bool collection) {
  if (!info.custom) return methodNotAllowed();
  if (collection && (method == "PUT" || method == "PATCH")) return badRequest("name must be provided");
  Status status{.code = 405, .reason = "MethodNotAllowed"};
  status.message = fmt::format(" is not supported on resources of kind \"{}\"", info.id().text());
  status.details = StatusDetails{.group = info.group, .kind = info.plural};
  return ApiError(std::move(status));
}

IncludeObject includeOf(const Query& query) {
  const std::string value = query.get("includeObject");
  if (value == "None") return IncludeObject::none;
  if (value == "Object") return IncludeObject::object;
  if (value.empty() || value == "Metadata") return IncludeObject::metadata;
  throw badRequest("Unable to convert to Table as requested: includeObject: Invalid value: \"" + value +
                   "\": must be 'Metadata', 'Object', 'None', or empty");
}

bool wantsWatch(const Call& call) {
  return call.route.watch || (call.route.target.name.empty() && call.query.flag("watch"));
}

// The list as one answer, made with a turn for others between its pieces.
base::Task<net::HttpResponse> wholeList(const Rendering& form, const Listed& listed, const ReplyStyle& style) {
  net::HttpResponse out{.status = 200, .headers = documentHeaders(style), .body = {}};
  for (ListPieces pieces(form, listed, style); !pieces.done();) {
    out.body += pieces.next();
    if (!pieces.done()) co_await base::yieldToLoop();
  }
  co_return out;
}

base::Task<void> sendInPieces(const Rendering& form, const Listed& listed, const ReplyStyle& style,
                              net::Responder& out) {
  co_await out.begin(200, documentHeaders(style));
  for (ListPieces pieces(form, listed, style); !pieces.done();) {
    co_await out.write(pieces.next());
    if (!pieces.done()) co_await base::yieldToLoop();
  }
  co_await out.end();
}

// Answers with a list. A long one is sent piece by piece through `out`, where it need not be all in memory at once, and
// nullopt is returned.
base::Task<std::optional<net::HttpResponse>> answerList(const Rendering& form, const Listed& listed,
                                                        const ReplyStyle& style, net::Responder& out) {
  if (!isLong(listed)) co_return jsonReply(200, form.list(listed), style);
  if (style.head || !form.listsInPieces()) co_return co_await wholeList(form, listed, style);
  co_await sendInPieces(form, listed, style, out);
  co_return std::nullopt;
}

WriteOptions dry(WriteOptions options) {
  options.dryRun = true;
  return options;
}

Status deletedStatus(const ResourceInfo& info, const Object& object) {
  Status status{.success = true, .code = 200};
  status.details = StatusDetails{.name = object.key.name, .group = info.group, .kind = info.plural, .uid = object.uid};
  return status;
}

// The best version to use instead; nullptr: none is better.
const ServedVersion* betterVersion(const ResourceInfo& info, const ServedVersion& than) {
  for (const auto& version : info.versions)
    if (version.served && !version.deprecated && precedesVersion(version.name, than.name)) return &version;
  return nullptr;
}

void warnOfDeprecation(Call& call, const ResourceInfo& info) {
  const ServedVersion* version = info.findVersion(call.route.target.version);
  if (!version || !version->deprecated) return;
  std::string text = version->deprecationWarning;
  if (text.empty()) {
    text = fmt::format("{} {} is deprecated", info.apiVersion(version->name), info.kind);
    if (const ServedVersion* better = betterVersion(info, *version))
      text += fmt::format("; use {} {}", info.apiVersion(better->name), info.kind);
  }
  call.style.warnings.push_back(std::move(text));
}

}  // namespace

base::Task<std::optional<net::HttpResponse>> ResourceApi::answer(Call& call, net::Responder& out) {
  const Target& target = call.route.target;
  const std::string& method = call.request.method;
  if (const VirtualResource* one = findVirtual(target.group, target.resource))
    co_return method == "POST" ? review(call, one->kind) : throw methodNotAllowed();
  const ResourceInfoPtr info = registry_.find({target.group, target.resource});  // outlives a redefinition
  if (!leadsToObjects(call.route, method, info.get())) {
    if (info && info->custom && info->namespaced == call.route.namespaced && !target.subresource.empty())
      throw notFound(*info, target.name);
    if (isCustomGroup(registry_, target.group)) co_return noSuchPage(call.style);
    throw unknownResource();
  }
  warnOfDeprecation(call, *info);
  const bool collection = target.name.empty();
  if (method == "GET" && wantsWatch(call)) {
    co_await watch(call, *info, out);
    co_return std::nullopt;
  }
  if (method == "GET" && collection) co_return co_await list(call, *info, out);
  if (method == "GET") co_return co_await get(call, *info);
  if (method == "POST" && !collection && info->custom && target.subresource.empty())
    co_return co_await create(call, *info);
  if (method == "POST" && collection && info->namespaced == call.route.namespaced)
    co_return co_await create(call, *info);
  if (method == "DELETE" && collection) co_return co_await removeCollection(call, *info, out);
  if (method == "DELETE") co_return co_await remove(call, *info);
  if (method == "PUT" && !collection) co_return co_await update(call, *info);
  if (method == "PATCH" && !collection) co_return co_await patch(call, *info);
  throw wrongMethod(*info, method, collection);
}

Rendering ResourceApi::rendering(Call& call, const ResourceInfo& info, Answer answer) const {
  const Wanted wanted = negotiate(call.request.headers.get("Accept"), answer);
  call.style.yaml = wanted.yaml;
  return Rendering(registry_, catalog_, info, call.route.target.version, wanted, includeOf(call.query),
                   runtime_.clock.wall());
}

base::Task<net::HttpResponse> ResourceApi::get(Call& call, const ResourceInfo& info) {
  const Rendering form = rendering(call, info, Answer::single);
  const ObjectPtr object =
      co_await registry_.get(call.route.target, {.resourceVersion = call.query.get("resourceVersion")});
  co_return jsonReply(200, form.single(*object), call.style);
}

base::Task<std::optional<net::HttpResponse>> ResourceApi::list(Call& call, const ResourceInfo& info,
                                                               net::Responder& out) {
  const Rendering form = rendering(call, info, Answer::list);
  const Listed listed = co_await registry_.list(call.route.target, listOptions(call.query));
  co_return co_await answerList(form, listed, call.style, out);
}

base::Task<void> ResourceApi::noteDuplicates(Call& call, const ResourceInfo& info,
                                             const std::vector<std::string>& duplicates, FieldValidation how,
                                             bool patch, std::function<base::Task<Written>()> attempt) {
  if (duplicates.empty() || how == FieldValidation::ignore) co_return;
  if (how == FieldValidation::warn) {
    const auto warnings = duplicateWarnings(duplicates);
    call.style.warnings.insert(call.style.warnings.end(), warnings.begin(), warnings.end());
    co_return;
  }
  std::optional<Status> other;
  try {
    (void)co_await attempt();
  } catch (const ApiError& error) {
    other = error.status();
  }
  throw duplicateRefusal(info, call.route.target.version, call.request.body, duplicates, patch, std::move(other));
}

net::HttpResponse ResourceApi::written(Call& call, const ResourceInfo& info, const Written& written, int code) const {
  const Rendering form = rendering(call, info, Answer::single);
  call.style.warnings.insert(call.style.warnings.end(), written.warnings.begin(), written.warnings.end());
  return jsonReply(code, form.single(*written.object), call.style);
}

base::Task<net::HttpResponse> ResourceApi::create(Call& call, const ResourceInfo& info) {
  (void)negotiate(call.request.headers.get("Accept"), Answer::single);
  const WriteOptions options = writeOptions(call.query, "CreateOptions", call.user.name);
  Body body = readBody(call.request, info.kind, !info.custom, call.route.target.version);
  Target target = call.route.target;
  target.name.clear();
  checkBodyType(body.value, call.request.body, info, target.version, registry_);
  co_await noteDuplicates(call, info, body.duplicates, options.fieldValidation, false,
                          [&] { return registry_.create(target, body.value, dry(options)); });
  const Written result = co_await registry_.create(target, std::move(body.value), options);
  co_return written(call, info, result, 201);
}

base::Task<net::HttpResponse> ResourceApi::update(Call& call, const ResourceInfo& info) {
  (void)negotiate(call.request.headers.get("Accept"), Answer::single);
  const WriteOptions options = writeOptions(call.query, "UpdateOptions", call.user.name);
  Body body = readBody(call.request, info.kind, !info.custom, call.route.target.version);
  const Target& target = call.route.target;
  checkBodyType(body.value, call.request.body, info, target.version, registry_);
  co_await noteDuplicates(call, info, body.duplicates, options.fieldValidation, false,
                          [&] { return registry_.update(target, body.value, dry(options)); });
  const Written result = co_await registry_.update(target, std::move(body.value), options);
  co_return written(call, info, result, result.created ? 201 : 200);
}

base::Task<net::HttpResponse> ResourceApi::patch(Call& call, const ResourceInfo& info) {
  (void)negotiate(call.request.headers.get("Accept"), Answer::single);
  const PatchType type = patchTypeOf(call.request, info.custom);
  const WriteOptions options = writeOptions(call.query, "PatchOptions", call.user.name);
  const Body body = readPatch(call.request, type);
  const Target& target = call.route.target;
  const Registry::Change change = [type, kind = info.kind, &body](json::Value& object) {
    applyPatch(type, kind, body.value, object);
  };
  co_await noteDuplicates(call, info, body.duplicates, options.fieldValidation, true,
                          [&] { return registry_.patch(target, change, dry(options)); });
  const Written result = co_await registry_.patch(target, change, options);
  co_return written(call, info, result, 200);
}

base::Task<net::HttpResponse> ResourceApi::remove(Call& call, const ResourceInfo& info) {
  (void)negotiate(call.request.headers.get("Accept"), Answer::single);
  const Body body = call.request.body.empty() ? Body{} : readBody(call.request, "DeleteOptions", true);
  const Deleted deleted =
      co_await registry_.remove(call.route.target, deleteOptions(call.query, body.value, call.user.name));
  if (!deleted.gone) co_return written(call, info, {deleted.object, false, deleted.warnings}, 200);
  call.style.warnings.insert(call.style.warnings.end(), deleted.warnings.begin(), deleted.warnings.end());
  co_return statusReply(deletedStatus(info, *deleted.object), call.style);
}

base::Task<std::optional<net::HttpResponse>> ResourceApi::removeCollection(Call& call, const ResourceInfo& info,
                                                                           net::Responder& out) {
  if (!info.offers("deletecollection") || (info.namespaced && !call.route.namespaced)) throw methodNotAllowed();
  const Rendering form = rendering(call, info, Answer::list);
  const Body body = call.request.body.empty() ? Body{} : readBody(call.request, "DeleteOptions", true);
  const DeleteOptions options = deleteOptions(call.query, body.value, call.user.name);
  Listed touched;
  touched.items = co_await registry_.removeCollection(call.route.target, options, listOptions(call.query));
  for (const auto& item : touched.items) touched.revision = std::max(touched.revision, item->revision);
  co_return co_await answerList(form, touched, call.style, out);
}

base::Task<void> ResourceApi::watch(Call& call, const ResourceInfo& info, net::Responder& out) {
  Rendering form = rendering(call, info, Answer::watch);
  WatchOptions options = watchOptions(call.query);
  Target target = call.route.target;
  if (!target.name.empty()) options.fieldSelector = "metadata.name=" + std::exchange(target.name, {});
  const auto stream = registry_.watch(target, options);
  net::Headers headers = commonHeaders(call.style);
  headers.set("Content-Type", "application/json");
  co_await out.begin(200, std::move(headers));
  const auto name = form.sharedForm();
  const auto shared = name ? std::optional(lines_.form(*name)) : std::nullopt;
  while (true) {
    const std::vector<WatchEvent> events = co_await stream->next();
    if (events.empty()) break;
    std::string chunk;  // contiguous: here the bytes that watchers share are copied for this one's connection
    for (const auto& event : events) {
      chunk += *line(form, shared, event);
      if (chunk.size() >= kChunkBytes) co_await out.write(std::exchange(chunk, {}));
    }
    if (!chunk.empty()) co_await out.write(std::move(chunk));
    if (events.front().initial) co_await base::yieldToLoop();
  }
  co_await out.end();
}

EventLines::Line ResourceApi::line(Rendering& form, std::optional<EventLines::Form> shared, const WatchEvent& event) {
  const auto render = [&] { return form.event(event, runtime_.clock.wall()); };
  if (!shared || !event.object || event.initial) return std::make_shared<const std::string>(render());
  return lines_.line({*shared, event.revision, event.type}, registry_.definitionsChanged(), render);
}

net::HttpResponse ResourceApi::review(Call& call, std::string_view kind) const {
  call.style.yaml = negotiate(call.request.headers.get("Accept"), Answer::single).yaml;
  Body body = readBody(call.request, kind, true);
  return jsonReply(201, json::serialize(answerReview(kind, std::move(body.value), call.user, tokens_)), call.style);
}

}  // namespace ingot::apiserver
