// The one list of kinds; who of them is judged (spec/capm3.md §5, spec/ipam.md §7).
#include "api/kinds/kinds.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;

namespace {

using Names = std::set<std::string>;

Names namesWhere(const std::function<bool(const api::KindRow&)>& holds) {
  Names out;
  for (const auto& kind : api::everyKind())
    if (holds(kind)) out.emplace(kind.stored->kind);
  return out;
}

const api::KindRow& rowOf(std::string_view kind) {
  return *std::ranges::find_if(api::everyKind(), [&](const auto& row) { return row.stored->kind == kind; });
}

}  // namespace

TEST_CASE("every kind has one row, whose CRD is of its group and stores its version", "[api][kinds]") {
  std::set<std::string> seen;
  for (const auto& kind : api::everyKind()) {
    CAPTURE(kind.stored->resource());
    CHECK(seen.insert(kind.stored->resource()).second);
    const json::Object crd = kind.crd();
    CHECK(json::textAt(crd, {"metadata", "name"}) == kind.stored->resource());
    std::string stored;
    for (const auto& version : *json::arrayAt(crd, {"spec", "versions"}))
      if (*json::boolAt(version, {"storage"})) stored = json::textAt(version, {"name"});
    CHECK(stored == kind.stored->version);
  }
  CHECK(seen.size() == 30);
}

TEST_CASE("capm3 §5, ipam §7 the kinds that upstream's webhooks judge are judged", "[api][kinds]") {
  const Names judged = {"BareMetalHost",
                        "BMCEventSubscription",
                        "DataImage",
                        "HostClaim",
                        "HostFirmwareComponents",
                        "HostNetworkAttachment",
                        "Metal3Cluster",
                        "Metal3ClusterTemplate",
                        "Metal3Machine",
                        "Metal3MachineTemplate",
                        "Metal3DataTemplate",
                        "Metal3Data",
                        "Metal3DataClaim",
                        "Metal3Remediation",
                        "Metal3RemediationTemplate",
                        "IPPool",
                        "IPClaim",
                        "IPAddress",
                        "Cluster",
                        "Machine",
                        "IPAddressClaim"};
  CHECK(namesWhere([](const auto& kind) { return kind.rules.has_value(); }) == judged);
  // its rules ask who uses it
  CHECK(namesWhere([](const auto& kind) { return kind.rules && kind.rules->update == nullptr; }) ==
        Names{"HostNetworkAttachment"});
}

TEST_CASE("a row's rules are those of its kind", "[api][kinds]") {
  json::Value pool = json::parse(R"({"metadata":{"name":"p"},"spec":{"namePrefix":"p","gateway":"bogus"}})");
  const auto& rules = *rowOf("IPPool").rules;
  rules.setDefaults(pool);
  CHECK(json::textAt(pool, {"spec", "allocationStrategy"}) == "sequential");
  CHECK(rules.create(pool).fields.size() == 1);
  json::Value renamed = pool;
  json::makeObjectAt(renamed, {"spec"})["namePrefix"] = "q";
  CHECK(rules.update(pool, renamed).fields.size() == 2);
  CHECK_THROWS_AS(rules.create(json::parse(R"({"spec":{"pools":7}})")), json::DecodeError);
}
