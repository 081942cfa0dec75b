#include "apiserver/http/handler.hpp"

#include "apiserver/registry/errors.hpp"
#include "json/value.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::string_view kAggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

ApiError unauthorized() { return ApiError(Status{.code = 401, .reason = "Unauthorized", .message = "Unauthorized"}); }

bool isOpenToAll(const Route& route) {
  return route.to == Route::To::health && (route.detail == "livez" || route.detail == "readyz");
}

std::optional<net::HttpResponse> jsonOr404(std::optional<std::string> body, const ReplyStyle& style) {
  return body ? jsonReply(200, std::move(*body), style) : noSuchPage(style);
}

std::string paths() { return R"({"paths":["/api","/api/v1","/apis","/livez","/openapi/v3","/readyz","/version"]})"; }

std::string versionDocument() {
  return json::serialize(json::Object{{"major", "1"},
                                      {"minor", "36"},
                                      {"emulationMajor", "1"},
                                      {"emulationMinor", "36"},
                                      {"minCompatibilityMajor", "1"},
                                      {"minCompatibilityMinor", "35"},
                                      {"gitVersion", "v1.36.3+ingot"},
                                      {"gitCommit", ""},
                                      {"gitTreeState", ""},
                                      {"buildDate", "1970-01-01T00:00:00Z"},
                                      {"goVersion", "none"},
                                      {"compiler", "clang"},
                                      {"platform", "linux/amd64"}});
}

// "ok", or a line a check with ?verbose or when `storageWorks` no more.
std::string healthText(std::string_view check, const Query& query, bool storageWorks) {
  if (!storageWorks) return fmt::format("[+]ping ok\n[-]storage failed: reason withheld\n{} check failed\n", check);
  if (!query.has("verbose")) return "ok";
  return fmt::format("[+]ping ok\n[+]storage ok\n{} check passed\n", check);
}

}  // namespace

ApiHandler::ApiHandler(base::Runtime runtime, Registry& registry, const Catalog& catalog,
                       std::vector<BearerToken> tokens, std::vector<ApiExtension> extensions)
    : runtime_(runtime.named("api")),
      registry_(registry),
      tokens_(std::move(tokens)),
      extensions_(std::move(extensions)),
      discovery_(registry),
      openApi_(registry, catalog, discovery_),
      resources_(runtime_, registry, catalog, tokens_) {}

bool ApiHandler::wantsBody(const net::ServerRequest& head) const { return isAuthenticated(head); }
bool ApiHandler::isAuthenticated(const net::ServerRequest& request) const {
  return authenticate(request, tokens_).has_value();
}

base::Task<void> ApiHandler::handle(net::ServerRequest request, net::Responder& out) {
  ReplyStyle style = replyStyle(request, runtime_.random);
  const bool head = request.method == "HEAD";
  if (head) request.method = "GET";
  std::optional<net::HttpResponse> response;
  std::optional<Status> refusal;
  try {
    response = co_await answer(request, style, out);
    if (!response) co_return;
  } catch (const ApiError& error) {
    refusal = error.status();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const net::HttpError&) {
    throw;  // the client has gone
  } catch (const std::exception& error) {
    runtime_.log.error("a request failed",
                       {{"method", request.method}, {"path", request.path()}, {"error", error.what()}});
    refusal = internalError(error.what()).status();
  }
  if (refusal) response = statusReply(*refusal, style);
  if (head) response->body.clear();
  co_await out.send(std::move(*response));
}

base::Task<std::optional<net::HttpResponse>> ApiHandler::answer(const net::ServerRequest& request, ReplyStyle& style,
                                                                net::Responder& out) {
  Route route = routeOf(request.path());
  auto user = authenticate(request, tokens_);
  if (!user && !isOpenToAll(route)) throw unauthorized();
  for (const auto& extension : extensions_) {
    if (!extension.answers(request.path())) continue;
    refuseImpersonation(request);
    co_await extension.handler->handle(request, out);
    co_return std::nullopt;
  }
  if (route.to == Route::To::resource) {
    refuseImpersonation(request);  // all else is the same for everybody
    Call call{request, std::move(route), Query(request.query()), std::move(*user), std::move(style)};
    std::exception_ptr problem;
    std::optional<net::HttpResponse> response;
    try {
      response = co_await resources_.answer(call, out);
    } catch (const ApiError& refusal) {
      problem = std::current_exception();
      call.style.warnings.insert(call.style.warnings.end(), refusal.warnings().begin(), refusal.warnings().end());
    }
    style = std::move(call.style);  // warnings hold for refusals too
    if (problem) std::rethrow_exception(problem);
    co_return response;
  }
  if (request.method != "GET") throw methodNotAllowed();
  co_return document(request, route, style);
}

std::optional<net::HttpResponse> ApiHandler::document(const net::ServerRequest& request, const Route& route,
                                                      ReplyStyle& style) {
  switch (route.to) {
    case Route::To::nothing:
    case Route::To::resource: return noSuchPage(style);
    case Route::To::root: return jsonReply(200, paths(), style);
    case Route::To::health: return health(request, route, style);
    case Route::To::version: return jsonReply(200, versionDocument(), style);
    case Route::To::core: return discovery(request, true, style);
    case Route::To::groups: return discovery(request, false, style);
    case Route::To::group: return jsonOr404(discovery_.group(route.target.group), style);
    case Route::To::groupVersion: return resourceList(route, style);
    case Route::To::openApiIndex: return jsonReply(200, openApi_.index(), style);
    case Route::To::openApiDocument: return openApi(request, route.detail, style);
  }
  return noSuchPage(style);
}

net::HttpResponse ApiHandler::health(const net::ServerRequest& request, const Route& route, const ReplyStyle& style) {
  const bool works = !registry_.store().failure();
  return textReply(works ? 200 : 500, healthText(route.detail, Query(request.query()), works), style);
}

std::optional<net::HttpResponse> ApiHandler::resourceList(const Route& route, const ReplyStyle& style) {
  auto list = discovery_.resources(route.target.group, route.target.version);
  if (!list && route.target.group.empty()) throw unknownResource();
  return jsonOr404(std::move(list), style);
}

net::HttpResponse ApiHandler::discovery(const net::ServerRequest& request, bool core, ReplyStyle& style) {
  const std::string accept = request.headers.get("Accept");
  if (!wantsAggregatedDiscovery(accept)) {
    style.yaml = negotiate(accept, Answer::single).yaml;
    net::HttpResponse plain =
        jsonReply(200, core ? discovery_.coreVersions(request.headers.get("Host")) : discovery_.groups(), style);
    plain.headers.set("Vary", "Accept");
    return plain;
  }
  const auto& document = discovery_.aggregated(core);
  const bool known = request.headers.get("If-None-Match") == document.etag;
  net::HttpResponse out{
      .status = known ? 304 : 200, .headers = commonHeaders(style), .body = known ? "" : document.body};
  out.headers.set("Content-Type", std::string(kAggregatedType));
  out.headers.set("Cache-Control", "public");
  out.headers.set("ETag", document.etag);
  out.headers.set("Vary", "Accept");
  return out;
}

net::HttpResponse ApiHandler::openApi(const net::ServerRequest& request, const std::string& path,
                                      const ReplyStyle& style) {
  std::optional<OpenApi::Document> document = openApi_.document(path);
  if (!document) {
    net::HttpResponse missing = textReply(404, "", style);
    return missing;
  }
  const std::string asked = Query(request.query()).get("hash");
  net::HttpResponse out{.status = 200, .headers = commonHeaders(style), .body = {}};
  if (!asked.empty() && asked != document->hash) {
    out.status = 301;
    out.headers.set("Location", "/openapi/v3/" + path + "?hash=" + document->hash);
    return out;
  }
  out.headers.set("Content-Type", "application/json");
  out.headers.set("ETag", "\"" + document->hash + "\"");
  out.headers.set("Vary", "Accept");
  if (!asked.empty()) out.headers.set("Cache-Control", "public, immutable");
  if (request.headers.get("If-None-Match") == "\"" + document->hash + "\"")
    out.status = 304;
  else
    out.body = std::move(document->body);
  return out;
}

}  // namespace ingot::apiserver
