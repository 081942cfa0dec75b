// Conversion between the versions of the Cluster API provider's kinds, and of Cluster API's own, there and back. The
// answers for Cluster and Machine are those of Cluster API 1.14.2 to which every kind that is referred to is known as
// v1beta2, with the members of the conversion-data annotation sorted; those for IPAddress and IPAddressClaim are its,
// too, without the nulls that an API server drops.
#include "api/conversion/error.hpp"
#include "api/kinds/kinds.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace ingot::vectors {

namespace {

Outcome runConversion(const Line& line) {
  const std::string from = json::textAt(line.in, {"from"}), to = from == "v1beta1" ? "v1beta2" : "v1beta1";
  try {
    json::Object out;
    const auto& object = line.in.at("object");
    const api::KindRow& kind = *api::rowOf(object);
    out["converted"] = kind.convert(object, to);
    out["back"] = kind.convert(out["converted"], from);
    return compare(line, out, std::nullopt);
  } catch (const api::ConversionError& e) {
    return compare(line, json::Value(), e.what());
  }
}

const Registration registrations[] = {
    {"convert_cluster", runConversion},
    {"convert_ipaddress", runConversion},
    {"convert_ipaddressclaim", runConversion},
    {"convert_machine", runConversion},
    {"convert_metal3cluster", runConversion},
    {"convert_metal3clustertemplate", runConversion},
    {"convert_metal3data", runConversion},
    {"convert_metal3dataclaim", runConversion},
    {"convert_metal3datatemplate", runConversion},
    {"convert_metal3machine", runConversion},
    {"convert_metal3machinetemplate", runConversion},
    {"convert_metal3remediation", runConversion},
    {"convert_metal3remediationtemplate", runConversion},
};

}  // namespace

}  // namespace ingot::vectors
