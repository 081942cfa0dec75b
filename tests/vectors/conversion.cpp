// Conversion of the Cluster API provider's kinds between their versions, there and back.
#include "api/capm3/conversion/convert.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace ingot::vectors {

namespace {

Outcome runConversion(const Line& line) {
  const std::string from = json::textAt(line.in, {"from"}), to = from == "v1beta1" ? "v1beta2" : "v1beta1";
  try {
    json::Object out;
    out["converted"] = api::capm3::convert(line.in.at("object"), to);
    out["back"] = api::capm3::convert(out["converted"], from);
    return compare(line, out, std::nullopt);
  } catch (const api::capm3::ConversionError& e) {
    return compare(line, json::Value(), e.what());
  }
}

const Registration registrations[] = {
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
