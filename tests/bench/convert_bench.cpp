// 10,000 conversions between v1beta1 and v1beta2, of every kind and in both directions: milliseconds of CPU time. The
// objects are those of the recorded cases (tests/data/vectors), which are fuller than what people write.
#include "api/capm3/conversion/convert.hpp"
#include "base/file.hpp"
#include "tests/bench/cpu_clock.hpp"

#include <cstdio>

namespace {

using namespace ingot;

constexpr int kConversions = 10'000;
constexpr double kGoalMilliseconds = 500;
constexpr const char* kKinds[] = {"cluster", "clustertemplate", "data",        "dataclaim",          "datatemplate",
                                  "machine", "machinetemplate", "remediation", "remediationtemplate"};

struct Case {
  json::Value object;
  std::string to;
};

std::vector<Case> casesOf(const std::string& kind) {
  const std::string text = base::readFile(INGOT_SOURCE_DIR "/tests/data/vectors/convert_metal3" + kind + ".jsonl");
  std::vector<Case> cases;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    const auto line = json::parse(std::string_view(text).substr(start, end - start));
    start = end + 1;
    const json::Value* object = json::find(line, {"in", "object"});
    const bool older = json::textAt(line, {"in", "from"}) == "v1beta1";
    if (object != nullptr && line.at("error").is_null()) cases.push_back({*object, older ? "v1beta2" : "v1beta1"});
  }
  return cases;
}

}  // namespace

int main() {
  std::vector<Case> cases;
  for (const char* kind : kKinds)
    for (Case& one : casesOf(kind)) cases.push_back(std::move(one));

  std::size_t members = 0;
  int refused = 0;
  const auto start = tests::CpuClock::now();
  for (int i = 0; i < kConversions; ++i) {
    const Case& one = cases[static_cast<std::size_t>(i) % cases.size()];
    try {
      members += api::capm3::convert(one.object, one.to).as_object().size();
    } catch (const api::ConversionError&) {
      ++refused;
    }
  }
  const double took = tests::CpuClock::millisecondsSince(start);
  std::printf("convert: %d conversions of %zu objects, %.0f ms of CPU, %d refused, %zu members; goal %.0f ms\n",
              kConversions, cases.size(), took, refused, members, kGoalMilliseconds);
  return took <= kGoalMilliseconds ? 0 : 1;
}
