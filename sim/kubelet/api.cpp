#include "sim/kubelet/api.hpp"

#include "base/text.hpp"
#include "net/url.hpp"

namespace ingot::sim::kubelet {

namespace {

using namespace std::chrono_literals;
constexpr base::Duration patience = 10s;
constexpr int notFound = 404, conflict = 409;

net::ClientOptions optionsOf(const Access& access) {
  return {.baseUrl = access.serverUrl,
          .tls = {.verify = access.verify,
                  .caPem = access.caPem,
                  .certificatePem = access.client.certificatePem,
                  .privateKeyPem = access.client.privateKeyPem},
          .bearerToken = access.token,
          .maxConnections = 2,  // one may be a watch
          .userAgent = "ingot-sim"};
}

// What a Status object says, or the beginning of whatever came instead.
std::string complaintOf(const net::HttpResponse& response) {
  try {
    if (auto message = json::textAt(json::parse(response.body), {"message"}); !message.empty()) return message;
  } catch (const json::ParseError&) {  // then it is no Status
  }
  return response.body.substr(0, 200);
}

[[noreturn]] void refuse(const std::string& method, const std::string& path, const net::HttpResponse& response) {
  throw ApiError(response.status, fmt::format("{} {}: {} {}", method, path, response.status, complaintOf(response)));
}

}  // namespace

std::string collectionPath(std::string_view apiVersion, std::string_view plural, std::string_view ns) {
  const bool core = apiVersion.find('/') == std::string_view::npos;
  const auto within = ns.empty() ? "" : fmt::format("/namespaces/{}", net::percentEncode(ns));
  return fmt::format("/{}/{}{}/{}", core ? "api" : "apis", apiVersion, within, plural);
}

std::string collectionPath(const json::Value& object) {
  return collectionPath(json::textAt(object, {"apiVersion"}), base::lower(json::textAt(object, {"kind"})) + "s",
                        json::textAt(object, {"metadata", "namespace"}));
}

std::string pathOf(std::string_view apiVersion, std::string_view plural, std::string_view ns, std::string_view name) {
  return collectionPath(apiVersion, plural, ns) + "/" + net::percentEncode(name);
}

std::string pathOf(const json::Value& object) {
  return collectionPath(object) + "/" + net::percentEncode(json::textAt(object, {"metadata", "name"}));
}

Api::Api(net::HttpTransport& transport, const Access& access) : client_(transport.connect(optionsOf(access))) {}

base::Task<net::HttpResponse> Api::send(net::HttpRequest request) {
  request.deadline = patience;
  request.headers.set("Accept", "application/json");
  co_return co_await client_->send(std::move(request));
}

base::Task<std::optional<json::Value>> Api::get(std::string path) {
  const auto response = co_await send({.target = path});
  if (response.status == notFound) co_return std::nullopt;
  if (!response.ok()) refuse("GET", path, response);
  co_return json::parse(response.body);
}

base::Task<std::unique_ptr<net::HttpStream>> Api::open(std::string path) {
  auto stream =
      co_await client_->open({.target = path, .headers = {{"Accept", "application/json"}}, .deadline = patience});
  if (stream->status() != 200) throw ApiError(stream->status(), fmt::format("GET {}: {}", path, stream->status()));
  co_return stream;
}

base::Task<json::Value> Api::create(json::Value object) {
  const auto path = collectionPath(object);
  const auto response = co_await send({.method = "POST",
                                       .target = path,
                                       .headers = {{"Content-Type", "application/json"}},
                                       .body = json::serialize(object)});
  if (!response.ok()) refuse("POST", path, response);
  co_return json::parse(response.body);
}

base::Task<json::Value> Api::merge(std::string path, json::Value patch) {
  const auto response = co_await send({.method = "PATCH",
                                       .target = path,
                                       .headers = {{"Content-Type", "application/merge-patch+json"}},
                                       .body = json::serialize(patch)});
  if (!response.ok()) refuse("PATCH", path, response);
  co_return json::parse(response.body);
}

base::Task<bool> Api::createIfAbsent(json::Value object) {
  try {
    (void)co_await create(std::move(object));
    co_return true;
  } catch (const ApiError& error) {
    if (error.status() != conflict) throw;
  }
  co_return false;
}

base::Task<void> Api::createOrMerge(json::Value object) {
  const bool isNew = co_await createIfAbsent(object);
  if (!isNew) (void)co_await merge(pathOf(object), json::Object{{"data", object.at("data")}});
}

}  // namespace ingot::sim::kubelet
