// The embedded API in this process, under virtual time, asked through its HTTP front without a socket.
#pragma once

#include "apiserver/embedded.hpp"
#include "base/file.hpp"
#include "json/value.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::apiserver::tests {

inline std::string repositoryFile(const std::string& path) {
  return base::readFile(std::string(INGOT_SOURCE_DIR) + "/" + path);
}

struct Answered {
  int status = 0;
  net::Headers headers;
  std::string text;
  [[nodiscard]] json::Value json() const { return json::parse(text); }
  [[nodiscard]] std::string at(std::initializer_list<std::string_view> path) const {
    return json::textAt(json(), path);
  }
};

struct EmbeddedFixture {
  ingot::tests::Loop loop;
  std::unique_ptr<EmbeddedApi> api;
  net::Loopback loopback{loop.runtime};
  std::unique_ptr<net::HttpClient> client;

  explicit EmbeddedFixture(std::vector<std::string> crds = {repositoryFile("crds/metal3.io_baremetalhosts.yaml")},
                           net::PeerIdentity peer = EmbeddedApi::localAdmin())
      : EmbeddedFixture(EmbeddedOptions{.crds = std::move(crds)}, std::move(peer)) {}

  template <std::same_as<EmbeddedOptions> Options>  // so that {} stays a list of CRDs
  explicit EmbeddedFixture(Options options, net::PeerIdentity peer = EmbeddedApi::localAdmin()) {
    options.store.commit = StoreOptions::Commit::inLine;
    api = loop.run(EmbeddedApi::start(loop.runtime, std::move(options)));
    loopback.serve("http://api", api->handler(), std::move(peer));
    client = loopback.connect({.baseUrl = "http://api"});
  }
  ~EmbeddedFixture() {
    loopback.remove("http://api");
    loop.run(api->stop(std::chrono::seconds(0)));
  }

  Answered send(std::string method, std::string target, std::string body = {}, net::Headers headers = {}) {
    if (!body.empty() && !headers.find("Content-Type")) headers.set("Content-Type", "application/json");
    net::HttpRequest request{.method = std::move(method),
                             .target = std::move(target),
                             .headers = std::move(headers),
                             .body = std::move(body)};
    net::HttpResponse response = loop.run(client->send(std::move(request)));
    return {response.status, std::move(response.headers), std::move(response.body)};
  }
  Answered get(std::string target, std::string accept = "application/json") {
    return send("GET", std::move(target), {}, {{"Accept", std::move(accept)}});
  }
  Answered patch(std::string target, std::string body, std::string type = "application/merge-patch+json") {
    return send("PATCH", std::move(target), std::move(body), {{"Content-Type", std::move(type)}});
  }
};

inline const std::string kConfigMaps = "/api/v1/namespaces/default/configmaps";
inline const std::string kJsonPatch = "application/json-patch+json";
inline const std::string kHosts = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts";

inline std::string host(const std::string& name, const std::string& spec = R"({"online":true})") {
  return R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"name":")" + name + R"("},"spec":)" +
         spec + "}";
}

}  // namespace ingot::apiserver::tests
