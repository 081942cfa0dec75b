// Reviews as a kube-apiserver sends them (spec/kubernetes-api.md §9), and what is to be read of the answers.
#pragma once

#include "base/base64.hpp"
#include "coordinator/webhooks/admission_review.hpp"
#include "coordinator/webhooks/conversion_review.hpp"
#include "json/patch.hpp"
#include "json/yaml.hpp"

namespace ingot::tests {

// An API without any object that rules might ask for.
class NoObjects final : public coordinator::OtherObjects {
 public:
  void eachMentioning(const kube::KindInfo&, const std::string&, const std::optional<std::string>&,
                      const Visit&) const override {}
};

struct Admitting {
  std::string operation = "CREATE";
  json::Value object, oldObject = nullptr;
  std::string subResource;
  bool dryRun = false;
};

inline json::Value admissionReview(const Admitting& what) {
  const json::Value& named = what.object.is_object() ? what.object : what.oldObject;
  json::Object request{{"uid", "705ab4f5-6393-11e8-b7cc-42010a800002"},
                       {"operation", what.operation},
                       {"name", json::textAt(named, {"metadata", "name"})},
                       {"namespace", json::textAt(named, {"metadata", "namespace"})},
                       {"object", what.object},
                       {"oldObject", what.oldObject},
                       {"dryRun", what.dryRun},
                       {"userInfo", json::Object{{"username", "admin"}}}};
  if (!what.subResource.empty()) request["subResource"] = what.subResource;
  return json::Object{
      {"kind", "AdmissionReview"}, {"apiVersion", "admission.k8s.io/v1"}, {"request", std::move(request)}};
}

inline json::Value conversionReview(const std::string& wanted, json::Array objects) {
  return json::Object{{"kind", "ConversionReview"},
                      {"apiVersion", "apiextensions.k8s.io/v1"},
                      {"request", json::Object{{"uid", "c-1"}, {"desiredAPIVersion", wanted}, {"objects", objects}}}};
}

inline json::Value answerAt(const std::string& path, const Admitting& what) {
  const auto* found = coordinator::webhooks::findPath(path);
  if (!found) throw base::InvalidInput(path, "is not served");
  return coordinator::webhooks::answer(admissionReview(what), *found, NoObjects());
}

inline bool isAllowed(const json::Value& answer) { return json::boolAt(answer, {"response", "allowed"}).value(); }
inline std::string messageIn(const json::Value& answer) {
  return json::textAt(answer, {"response", "status", "message"});
}

// The object as the answer's patch leaves it.
inline json::Value patched(json::Value object, const json::Value& answer) {
  const std::string patch = json::textAt(answer, {"response", "patch"});
  if (!patch.empty()) json::applyJsonPatch(object, json::parse(base::fromBase64(patch).value()));
  return object;
}

inline const std::string kInfra = "infrastructure.cluster.x-k8s.io/";

}  // namespace ingot::tests
