// The embedded API as `ingot-coordinator --embedded` starts it: every CRD of ours, their admission and conversion.
#pragma once

#include "api/kinds/kinds.hpp"
#include "coordinator/admission.hpp"
#include "json/yaml.hpp"
#include "tests/apiserver/http/fixture.hpp"

namespace ingot::tests {

struct Served : apiserver::tests::EmbeddedFixture {
  Served()
      : EmbeddedFixture(apiserver::EmbeddedOptions{.definitions = api::everyCrd(),
                                                   .admission = coordinator::admissionRules,
                                                   .converters = coordinator::kindConverters()}) {}

  using Answered = apiserver::tests::Answered;

  // As kubectl does: the collection follows from apiVersion and kind.
  Answered create(const std::string& yaml) {
    const json::Value object = json::parseYamlValue(yaml);
    return send("POST", collection(json::textAt(object, {"apiVersion"}), pluralOf(json::textAt(object, {"kind"}))),
                json::serialize(object));
  }
  static std::string collection(const std::string& apiVersion, const std::string& plural) {
    return "/apis/" + apiVersion + "/namespaces/default/" + plural;
  }

 private:
  static std::string pluralOf(const std::string& kind) {
    for (const auto& crd : api::everyCrd())
      if (json::textAt(crd, {"spec", "names", "kind"}) == kind) return json::textAt(crd, {"spec", "names", "plural"});
    throw base::InvalidInput(kind, "no kind of ours");
  }
};

inline const std::string kInfra = "infrastructure.cluster.x-k8s.io/";

}  // namespace ingot::tests
