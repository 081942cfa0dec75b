// An object of a kind that has two versions, or the text of its conversion-data annotation: it is
// converted, or refused with a reason, and what was converted can be converted back.
#include "api/conversion/error.hpp"
#include "api/kinds/kinds.hpp"

namespace {

using namespace ingot;

std::string_view versionOf(const json::Value& object) {
  return json::textAt(object, {"apiVersion"}).ends_with("v1beta1") ? "v1beta1" : "v1beta2";
}

// What is refused on the first way is not looked at; the way back must not fail.
void thereAndBack(const json::Value& object) {
  const api::KindRow* kind = api::rowOf(object);
  if (!kind || !kind->convert) return;
  const std::string_view from = versionOf(object), to = from == "v1beta1" ? "v1beta2" : "v1beta1";
  json::Value converted;
  try {
    converted = kind->convert(object, to);
  } catch (const api::ConversionError&) {
    return;
  }
  (void)kind->convert(converted, from);
}

json::Value annotated(std::string_view group, std::string_view kind, std::string_view text) {
  return json::Object{
      {"apiVersion", std::string(group) + "/v1beta1"},
      {"kind", kind},
      {"metadata", json::Object{{"annotations", json::Object{{"cluster.x-k8s.io/conversion-data", text}}}}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view kind :
       {"Metal3Cluster", "Metal3ClusterTemplate", "Metal3Machine", "Metal3MachineTemplate"})
    thereAndBack(annotated("infrastructure.cluster.x-k8s.io", kind, text));
  for (const std::string_view kind : {"Cluster", "Machine"}) thereAndBack(annotated("cluster.x-k8s.io", kind, text));
  try {
    if (const auto object = json::parse(text); object.is_object()) thereAndBack(object);
  } catch (const json::ParseError&) {
  }
  return 0;
}
