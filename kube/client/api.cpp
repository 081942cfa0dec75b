#include "kube/client/api.hpp"

#include "kube/client/documents.hpp"
#include "kube/client/managed_fields.hpp"
#include "kube/client/transport_error.hpp"
#include "kube/core/undecoded.hpp"

namespace ingot::kube {
namespace {

constexpr std::string_view kJson = "application/json";

std::string_view contentType(PatchType type) {
  switch (type) {
    case PatchType::merge: return "application/merge-patch+json";
    case PatchType::json: return "application/json-patch+json";
    case PatchType::strategic: return "application/strategic-merge-patch+json";
    case PatchType::apply: return "application/apply-patch+yaml";
  }
  return kJson;
}

std::string_view nameOf(Propagation p) {
  switch (p) {
    case Propagation::background: return "Background";
    case Propagation::foreground: return "Foreground";
    case Propagation::orphan: return "Orphan";
  }
  return "";
}

Query queryOf(const WriteOptions& o, const std::string& manager) {
  return {{"fieldManager", o.fieldManager.empty() ? manager : o.fieldManager},
          {"fieldValidation", o.fieldValidation},
          {"dryRun", o.dryRun ? "All" : ""},
          {"force", o.force ? "true" : ""}};
}

json::Value bodyOf(const DeleteOptions& o) {
  json::Object body{{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  json::Object preconditions;
  if (!o.uid.empty()) preconditions["uid"] = o.uid;
  if (!o.resourceVersion.empty()) preconditions["resourceVersion"] = o.resourceVersion;
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  if (o.propagation) body["propagationPolicy"] = nameOf(*o.propagation);
  if (o.dryRun) body["dryRun"] = json::Array{"All"};
  return body;
}

// Bytes: no object of Kubernetes is smaller, its uid alone has 36 characters.
constexpr std::size_t kSmallestObject = 64;

// Items of core lists come without apiVersion and kind.
void addTypeMeta(const Resource& r, json::Value& item) {
  if (!item.is_object()) throw Error(Error::Code::badAnswer, "the list of " + r.name() + " holds what is no object");
  json::Object& members = item.get_object();
  if (!members.contains("apiVersion")) members["apiVersion"] = r.apiVersion();
  if (!members.contains("kind")) members["kind"] = r.kind;
}

std::string tooDeepText(const Resource& r, const json::Value& item) {
  return fmt::format("the list of {} holds {}, which is nested more than {} levels deep", r.name(), keyOf(item).text(),
                     kDeepestObject);
}

// A server may leave the limit aside. What it sends then must be worth the memory that it takes here.
void checkCount(const Resource& r, std::size_t count, const ListQuery& query, std::size_t bytes) {
  const bool isTooMuch = query.pageSize > 0 && std::cmp_greater(count, query.pageSize);
  if (isTooMuch && count > bytes / kSmallestObject)
    throw Error(Error::Code::badAnswer, "the list of " + r.name() + " holds more than was asked for, and no objects");
}

// `bytes`: of the text that `read` was read from.
Page pageOf(const Resource& r, ObjectsRead read, const ListQuery& query, std::size_t bytes) {
  json::Value& list = read.document;
  Page page{.resourceVersion = resourceVersionOf(list), .next = json::textAt(list, {"metadata", "continue"})};
  if (!list.is_object()) throw Error(Error::Code::badAnswer, "the list of " + r.name() + " is not an object");
  json::Value* items = list.get_object().if_contains("items");
  if (items && items->is_null()) return page;  // Go's way to write a list of none
  if (!items || !items->is_array()) throw Error(Error::Code::badAnswer, "what lists " + r.name() + " has no items");
  checkCount(r, items->get_array().size(), query, bytes);
  page.items.reserve(items->get_array().size());
  for (json::Value& item : items->get_array()) {
    const bool isTooDeep = read.hasStubs && takeStub(item);
    if (isTooDeep && !query.nameTooDeep) throw Error(Error::Code::badAnswer, tooDeepText(r, item));
    addTypeMeta(r, item);
    (isTooDeep ? page.tooDeep : page.items).push_back(std::move(item));
  }
  return page;
}

constexpr json::LeftOut kOfObject = managedFields(2);
constexpr std::size_t kLevelOfItems = 3;

Error noJson(const std::string& doing, const json::ParseError& e) {
  return {Error::Code::badAnswer, doing + ": the answer is not JSON: " + e.what()};
}

json::Value documentOf(const net::HttpResponse& response, const std::string& doing, std::size_t limit,
                       const json::LeftOut& without) {
  try {
    return json::parseWithout(response.body, without, {.bytes = limit});
  } catch (const json::ParseError& e) {
    throw noJson(doing, e);
  }
}

ObjectsRead listOf(const net::HttpResponse& response, const std::string& doing, std::size_t limit) {
  try {
    return parseObjects(response.body, kLevelOfItems, limit);
  } catch (const json::ParseError& e) {
    throw noJson(doing, e);
  }
}

// Not there, as opposed to a path that this server does not serve at all.
bool isMissingObject(const Error& e) { return e.code() == Error::Code::notFound && e.status().reason == "NotFound"; }

std::string what(const Resource& r, const ObjectKey& key, std::string_view subresource = {}) {
  std::string out = r.kind + " " + key.text();
  if (!subresource.empty()) out += " (" + std::string(subresource) + ")";
  return out;
}

}  // namespace

struct Api::Call {
  std::string method, target;
  std::string doing;  // "creating Secret metal3/x": for the error's text
  bool isRead = false;
  std::string body{};
  std::string contentType{kJson};
  std::string accept{kJson};
  json::LeftOut without = kOfObject;  // of the answer
};

Api::Api(base::Runtime runtime, std::unique_ptr<Connections> connections, BearerToken token, net::Headers identity,
         ApiOptions options)
    : runtime_(runtime.named("kube")),
      connections_(std::move(connections)),
      token_(std::move(token)),
      identity_(std::move(identity)),
      options_(std::move(options)) {}

base::Task<std::optional<json::Value>> Api::get(Resource r, ObjectKey key) {
  try {
    co_return co_await performJson(
        {.method = "GET", .target = objectPath(r, key), .doing = "reading " + what(r, key), .isRead = true});
  } catch (const Error& e) {
    if (!isMissingObject(e)) throw;
  }
  co_return std::nullopt;
}

base::Task<Page> Api::listPage(Resource r, ListQuery query, std::string continueToken) {
  const bool first = continueToken.empty();
  const Query parameters{{"labelSelector", query.labelSelector},
                         {"fieldSelector", query.fieldSelector},
                         {"limit", query.pageSize > 0 ? std::to_string(query.pageSize) : ""},
                         {"resourceVersion", first ? query.resourceVersion : ""},
                         {"continue", continueToken}};
  const net::HttpResponse response = co_await perform({.method = "GET",
                                                       .target = collectionPath(r, query.namespace_, parameters),
                                                       .doing = "listing " + r.name(),
                                                       .isRead = true});
  auto list = listOf(response, "listing " + r.name(), options_.bodyLimit);
  co_return pageOf(r, std::move(list), query, response.body.size());
}

base::Task<Page> Api::list(Resource r, ListQuery query) {
  Page all;
  std::string next;
  for (unsigned expired = 0;;) {
    std::optional<Page> page;
    try {
      page = co_await listPage(r, query, next);
    } catch (const Error& e) {
      const bool isExpired = e.code() == Error::Code::gone && !next.empty();
      if (!isExpired || ++expired >= options_.retry.attempts) throw;
    }
    if (!page) {  // the list has taken longer to read than the server remembers
      co_await runtime_.clock.sleepFor(options_.retry.backoff.delay(expired - 1, runtime_.random));
      all.items.clear();
      all.tooDeep.clear();
      next.clear();
      continue;
    }
    std::ranges::move(page->items, std::back_inserter(all.items));
    std::ranges::move(page->tooDeep, std::back_inserter(all.tooDeep));
    all.resourceVersion = page->resourceVersion;
    next = page->next;
    if (next.empty()) co_return all;
  }
}

base::Task<WatchStream> Api::watch(Resource r, WatchQuery query) {
  const Query parameters{{"watch", "true"},
                         {"labelSelector", query.labelSelector},
                         {"fieldSelector", query.fieldSelector},
                         {"resourceVersion", query.resourceVersion},
                         {"allowWatchBookmarks", query.bookmarks ? "true" : ""},
                         {"timeoutSeconds", query.timeoutSeconds > 0 ? std::to_string(query.timeoutSeconds) : ""}};
  const Call call{.method = "GET",
                  .target = collectionPath(r, query.namespace_, parameters),
                  .doing = "watching " + r.name(),
                  .isRead = true};
  try {
    const auto client = connections_->watches();
    auto stream = co_await client->open(requestFor(call));
    if (stream->status() == 200) co_return WatchStream(std::move(stream), options_.lineLimit);
    std::string body;
    while (auto piece = co_await stream->next(options_.deadline)) {
      body += *piece;
      if (body.size() > 64u << 10) break;
    }
    if (stream->status() == 401) static_cast<void>(refused());
    throw errorFrom(stream->status(), body, stream->headers().get("Retry-After"), call.doing);
  } catch (const net::HttpError& e) {
    throw errorFrom(e, call.doing);
  }
}

base::Task<json::Value> Api::create(Resource r, std::string namespace_, json::Value object, WriteOptions options) {
  const ObjectKey key{namespace_, json::textAt(object, {"metadata", "name"})};
  co_return co_await performJson({.method = "POST",
                                  .target = collectionPath(r, namespace_, queryOf(options, options_.fieldManager)),
                                  .doing = "creating " + what(r, key),
                                  .body = json::serialize(object)});
}

base::Task<json::Value> Api::update(Resource r, ObjectKey key, json::Value object, std::string subresource,
                                    WriteOptions options) {
  co_return co_await performJson({.method = "PUT",
                                  .target = objectPath(r, key, subresource, queryOf(options, options_.fieldManager)),
                                  .doing = "updating " + what(r, key, subresource),
                                  .body = json::serialize(object)});
}

base::Task<json::Value> Api::patch(Resource r, ObjectKey key, PatchType type, json::Value patch,
                                   std::string subresource, WriteOptions options) {
  co_return co_await performJson({.method = "PATCH",
                                  .target = objectPath(r, key, subresource, queryOf(options, options_.fieldManager)),
                                  .doing = "patching " + what(r, key, subresource),
                                  .body = json::serialize(patch),
                                  .contentType = std::string(contentType(type))});
}

base::Task<std::optional<json::Value>> Api::remove(Resource r, ObjectKey key, DeleteOptions options) {
  try {
    co_return co_await performJson({.method = "DELETE",
                                    .target = objectPath(r, key),
                                    .doing = "deleting " + what(r, key),
                                    .body = json::serialize(bodyOf(options))});
  } catch (const Error& e) {
    if (!isMissingObject(e)) throw;
  }
  co_return std::nullopt;
}

base::Task<json::Value> Api::raw(std::string method, std::string target, std::string accept) {
  Call call{.method = method, .target = target, .doing = method + " " + target, .isRead = method == "GET"};
  if (!accept.empty()) call.accept = std::move(accept);
  call.without = {};
  co_return co_await performJson(std::move(call));
}

base::Task<std::string> Api::text(std::string target) {
  auto response =
      co_await perform({.method = "GET", .target = target, .doing = "GET " + target, .isRead = true, .accept = "*/*"});
  co_return std::move(response.body);
}

base::Task<json::Value> Api::performJson(Call call) {
  const std::string doing = call.doing;
  const json::LeftOut without = call.without;
  const net::HttpResponse response = co_await perform(std::move(call));
  co_return documentOf(response, doing, options_.bodyLimit, without);
}

base::Task<net::HttpResponse> Api::perform(Call call) {
  for (unsigned tries = 0;; ++tries) {
    std::optional<Error> error;
    try {
      net::HttpResponse response = co_await attempt(call);
      if (response.ok()) co_return response;
      error = errorFrom(response.status, response.body, response.headers.get("Retry-After"), call.doing);
    } catch (const net::HttpError& e) {
      error = errorFrom(e, call.doing);
    }
    const bool unknown = error->code() == Error::Code::unauthorized || error->code() == Error::Code::untrusted;
    if (unknown && tries == 0 && refused()) continue;
    const auto wait = retryDelay(options_.retry, *error, call.isRead, tries, runtime_.random);
    if (!wait) throw *error;
    runtime_.log.debug("trying again", {{"error", error->what()}, {"try", tries + 1}});
    co_await runtime_.clock.sleepFor(*wait);
  }
}

base::Task<net::HttpResponse> Api::attempt(const Call& call) {
  const auto client = connections_->calls();
  co_return co_await client->send(requestFor(call));
}

bool Api::refused() {
  const bool token = token_.refused(), certificate = connections_->refused();
  return token || certificate;
}

net::HttpRequest Api::requestFor(const Call& call) {
  net::HttpRequest request{.method = call.method,
                           .target = call.target,
                           .headers = {{"Accept", call.accept}, {"User-Agent", options_.userAgent}},
                           .body = call.body,
                           .deadline = options_.deadline,
                           .bodyLimit = options_.bodyLimit};
  for (const auto& [name, value] : identity_.all()) request.headers.add(name, value);
  if (!call.body.empty()) request.headers.set("Content-Type", call.contentType);
  const base::Secret& token = token_.current(runtime_.clock.now());
  if (!token.empty()) request.headers.set("Authorization", "Bearer " + token.reveal());
  return request;
}

}  // namespace ingot::kube
