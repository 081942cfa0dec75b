// CRDs of group test.io as requests, and what is asked of them.
#pragma once

#include "tests/apiserver/http/fixture.hpp"

namespace ingot::apiserver::tests {

inline const std::string kCrdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

struct CrdNames {
  std::string plural, kind, shortName = {}, singular = {};
};

inline std::string crdOf(const CrdNames& names, const std::string& group = "test.io",
                         const std::string& annotations = {}) {
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{0}.{1}"{2}}},
"spec":{{"group":"{1}","scope":"Namespaced","names":{{"plural":"{0}","kind":"{3}"{4}{5}}},"versions":[
{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object"}}}}}}]}}}})",
      names.plural, group, annotations, names.kind,
      names.shortName.empty() ? "" : ",\"shortNames\":[\"" + names.shortName + "\"]",
      names.singular.empty() ? "" : ",\"singular\":\"" + names.singular + "\"");
}

inline const std::string kFooCrd = crdOf({"foos", "Foo"});
inline const std::string kFooPath = kCrdPath + "/foos.test.io";
inline const std::string kFoos = "/apis/test.io/v1/namespaces/default/foos";
inline std::string foo(const std::string& name, const std::string& metadata = {}) {
  return fmt::format(R"({{"apiVersion":"test.io/v1","kind":"Foo","metadata":{{"name":"{}"{}}}}})", name, metadata);
}

// "True NoConflicts: no conflicts found"; "" without that condition.
inline std::string conditionOf(const Answered& crd, std::string_view type) {
  const json::Value document = crd.json();
  if (const json::Array* all = json::arrayAt(document, {"status", "conditions"}))
    for (const auto& one : *all)
      if (json::textAt(one, {"type"}) == type)
        return fmt::format("{} {}: {}", json::textAt(one, {"status"}), json::textAt(one, {"reason"}),
                           json::textAt(one, {"message"}));
  return "";
}

// An API to which requests can be sent side by side.
struct Busy : EmbeddedFixture {
  explicit Busy(std::vector<std::string> crds = {}) : EmbeddedFixture(std::move(crds)) {}
  explicit Busy(EmbeddedOptions options) : EmbeddedFixture(std::move(options)) {}

  // Sends it without waiting for the answer, whose status arrives in `statuses`.
  void begin(std::string method, std::string target, std::string body, const std::string& type = "application/json") {
    net::HttpRequest request{.method = std::move(method),
                             .target = std::move(target),
                             .headers = {{"Content-Type", type}},
                             .body = std::move(body)};
    boost::asio::co_spawn(loop.io, client->send(std::move(request)),
                          [this](const std::exception_ptr& problem, const net::HttpResponse& answer) {
                            statuses.push_back(problem ? 0 : answer.status);
                          });
  }
  // A few steps of whatever is under way.
  void step(int turns) {
    for (int i = 0; i < turns; ++i) loop.io.poll_one();
  }
  void settle() { loop.clock.advance(std::chrono::seconds(2)); }
  [[nodiscard]] std::ptrdiff_t count(int status) const { return std::count(statuses.begin(), statuses.end(), status); }

  std::vector<int> statuses;
};

}  // namespace ingot::apiserver::tests
