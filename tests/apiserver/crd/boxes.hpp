// A kind in two versions, and a converter between them: v1 has spec.colour, v2 (stored) spec.paint.{colour,shine}.
// What v1 cannot say, the shine, is lost on the way through it; a box named "broken" converts nowhere.
#pragma once

#include "tests/apiserver/http/fixture.hpp"

namespace ingot::apiserver::tests {

inline constexpr std::string_view kBoxCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.test.io}
spec:
  group: test.io
  scope: Namespaced
  names: {plural: boxes, kind: Box}
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {name: converter, namespace: system, path: /convert}}
  versions:
  - name: v1
    served: true
    storage: false
    deprecated: true
    subresources: {status: {}}
    additionalPrinterColumns: [{name: Colour, type: string, jsonPath: .spec.colour}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              colour: {type: string, maxLength: 8}
              size: {type: integer, default: 1}
          status: {type: object, properties: {full: {type: boolean}}}
  - name: v2
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns: [{name: Paint, type: string, jsonPath: .spec.paint.colour}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              paint:
                type: object
                properties: {colour: {type: string}, shine: {type: string, default: matt}}
              size: {type: integer}
          status: {type: object, properties: {full: {type: boolean}}}
)";

class BoxConverter final : public KindConverter {
 public:
  [[nodiscard]] json::Value convert(const json::Value& object, const std::string& version) const override {
    if (broken.contains(json::textAt(object, {"metadata", "name"}))) throw base::Error("boom");
    const json::Value* size = json::find(object, {"spec", "size"});
    json::Value out{{"apiVersion", "test.io/" + version}, {"kind", "Box"}, {"metadata", object.at("metadata")}};
    if (version == "v2")
      json::makeObjectAt(out, {"spec", "paint"})["colour"] = json::textAt(object, {"spec", "colour"});
    else
      json::makeObjectAt(out, {"spec"})["colour"] = json::textAt(object, {"spec", "paint", "colour"});
    if (size) json::makeObjectAt(out, {"spec"})["size"] = *size;
    if (const json::Value* status = json::find(object, {"status"})) out.get_object()["status"] = *status;
    if (spoil) spoil(out);
    return out;
  }

  mutable std::set<std::string> broken = {"broken"};
  std::function<void(json::Value&)> spoil;  // what a careless converter does besides
};

inline const GroupResource kBoxes{"test.io", "boxes"};

struct Boxes : EmbeddedFixture {
  explicit Boxes(std::shared_ptr<BoxConverter> given = std::make_shared<BoxConverter>())
      : EmbeddedFixture(EmbeddedOptions{.crds = {std::string(kBoxCrd)}, .converters = {{kBoxes, given}}}),
        converter(std::move(given)) {}

  std::shared_ptr<BoxConverter> converter;
};

inline const std::string kOld = "/apis/test.io/v1/namespaces/default/boxes",
                         kNew = "/apis/test.io/v2/namespaces/default/boxes";

inline std::string box(const std::string& version, const std::string& name, const std::string& spec,
                       const std::string& metadata = {}) {
  return fmt::format(R"({{"apiVersion":"test.io/{}","kind":"Box","metadata":{{"name":"{}"{}}},"spec":{}}})", version,
                     name, metadata, spec);
}

}  // namespace ingot::apiserver::tests
