// spec/capm3.md §18.2 against an API: a Node whose labels and annotations are too large to be kept whole.
#include "tests/coordinator/remediation/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

TEST_CASE("§18.2 (4) a Node that has more than an API stores keeps no host off", "[remediation]") {
  RemediationSite site("27");
  json::Object notes{{"a", "1"}, {"big", std::string(150'000, '"')}};
  site.workload.patch<kube::Node>(
      {"", "n1"}, json::serialize(json::Object{{"metadata", json::Object{{"annotations", std::move(notes)}}}}));
  site.instead = [](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (request.method != "PATCH" || request.body.size() < (256u << 10)) return std::nullopt;
    return ApiSite::Answer{422, R"({"kind":"Status","code":422,"reason":"Invalid","message":"Too long"})"};
  };
  site.remediate();
  site.obey();
  CHECK_FALSE(site.node());
  CHECK(site.phase() == "Waiting");
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.told("NodeRecordCut") == 1);
  site.obey();
  site.join();
  CHECK(site.node()->metadata.annotations.at("a") == "1");
  CHECK(site.told("NodeRestored") == 1);
}
