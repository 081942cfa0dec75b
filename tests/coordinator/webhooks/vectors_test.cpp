// Upstream's vectors (spec/capm3.md §4, §5, spec/ipam.md §7, spec/baremetalhost.md §4): a webhook answers each as
// admission and conversion in process do, which tests/vectors holds against upstream.
#include "api/capm3/conversion/convert.hpp"
#include "base/file.hpp"
#include "coordinator/admission/kind_admission.hpp"
#include "tests/coordinator/webhooks/reviews.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <sstream>

using namespace ingot;
using namespace ingot::tests;
using coordinator::KindAdmission;
using coordinator::webhooks::Type;

namespace {

constexpr auto folder = INGOT_SOURCE_DIR "/tests/data/vectors/";

std::vector<json::Value> linesOf(const std::string& name) {
  std::vector<json::Value> out;
  std::istringstream text(base::readFile(folder + name));
  for (std::string row; std::getline(text, row);)
    if (!row.empty()) out.push_back(json::parse(row));
  return out;
}

const api::KindRow& rowOf(const std::string& kind) {
  for (const auto& row : api::everyKind())
    if (row.stored->kind == kind) return row;
  throw base::InvalidInput(kind, "no kind of ours");
}

// The vectors leave out what every request has.
json::Value complete(const json::Value& object, const kube::KindInfo& kind) {
  json::Value out = object;
  out.as_object()["apiVersion"] = kind.apiVersion();
  out.as_object()["kind"] = kind.kind;
  return out;
}

struct InProcess {
  std::optional<apiserver::Status> refusal;
  apiserver::Warnings warnings;
};

InProcess judgedInProcess(const api::KindRow& row, const json::Value& object, const json::Value* before) {
  InProcess out;
  try {
    KindAdmission(row, std::make_shared<NoObjects>()).admit(object, before, {}, out.warnings);
  } catch (const apiserver::ApiError& refused) {
    out.refusal = refused.status();
    out.warnings = refused.warnings();
  }
  return out;
}

json::Array warningsIn(const json::Value& answer) {
  const auto* warnings = json::arrayAt(answer, {"response", "warnings"});
  return warnings ? *warnings : json::Array();
}

void compareVerdicts(const api::KindRow& row, const json::Value& in) {
  const json::Value object = complete(in.at("object"), *row.stored);
  const bool update = json::textAt(in, {"op"}) == "update";
  const json::Value before = update ? complete(in.at("oldObject"), *row.stored) : json::Value();
  const json::Value out = answerAt(pathOf(*row.stored, Type::validating),
                                   {.operation = update ? "UPDATE" : "CREATE", .object = object, .oldObject = before});
  const InProcess expected = judgedInProcess(row, object, update ? &before : nullptr);
  CHECK(isAllowed(out) == !expected.refusal);
  CHECK(warningsIn(out) == json::Array(expected.warnings.begin(), expected.warnings.end()));
  if (!expected.refusal || isAllowed(out)) return;
  // The server puts its own words before ours.
  json::Value status = out.at("response").at("status");
  status.as_object()["message"] = fmt::format("admission webhook \"{}\" denied the request: {}",
                                              coordinator::webhookOf(*row.stored), messageIn(out));
  CHECK(json::equal(status, expected.refusal->toJson()));
}

void compareDefaults(const api::KindRow& row, const json::Value& in) {
  const json::Value object = complete(in.at("object"), *row.stored);
  json::Value expected = object;
  apiserver::Warnings none;
  KindAdmission(row, std::make_shared<NoObjects>()).mutate(expected, nullptr, {}, none);
  const json::Value out = answerAt(pathOf(*row.stored, Type::mutating), {.object = object});
  CHECK(isAllowed(out));
  CHECK(json::equal(patched(object, out), expected));
}

}  // namespace

TEST_CASE("capm3 §5, ipam §7.1, §7.2, §7.4, §7.5 each validation vector gets the same answer by either way in",
          "[webhooks][vectors]") {
  const auto file =
      GENERATE(as<std::string>{}, "capm3_validation.jsonl", "ipam_validation.jsonl", "bmh_validation.jsonl");
  int refused = 0;
  for (const auto& line : linesOf(file)) {
    INFO(file << ": " << json::textAt(line, {"name"}));
    const json::Value& in = line.at("in");
    const std::string kind = json::textAt(in, {"kind"});
    const auto& row = rowOf(kind.empty() ? "BareMetalHost" : kind);
    if (json::textAt(in, {"op"}) == "default")
      compareDefaults(row, in);
    else
      compareVerdicts(row, in);
    refused += json::boolAt(line, {"out", "allowed"}) == false ? 1 : 0;
  }
  CHECK(refused > 100);
}

TEST_CASE("capm3 §4 each conversion vector gets the same answer by either way in", "[webhooks][vectors]") {
  int converted = 0, failed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with("convert_metal3")) continue;
    for (const auto& line : linesOf(file)) {
      INFO(file << ": " << json::textAt(line, {"name"}));
      const json::Value& object = line.at("in").at("object");
      const std::string to = json::textAt(line, {"in", "from"}) == "v1beta1" ? "v1beta2" : "v1beta1";
      const json::Value out = coordinator::webhooks::answer(conversionReview(kInfra + to, {object}));
      try {
        const json::Value expected = api::capm3::convert(object, to);
        const auto* objects = json::arrayAt(out, {"response", "convertedObjects"});
        REQUIRE(objects);
        CHECK(json::equal(objects->at(0), expected));
        ++converted;
      } catch (const api::ConversionError& problem) {
        CHECK(json::textAt(out, {"response", "result", "status"}) == "Failure");
        CHECK_THAT(json::textAt(out, {"response", "result", "message"}), Catch::EndsWith(problem.what()));
        ++failed;
      }
    }
  }
  CHECK(converted > 900);
  CHECK(failed > 5);
}
