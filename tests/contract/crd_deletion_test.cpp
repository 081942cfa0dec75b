// A CRD that is deleted takes its objects along, and lets no new one in.
#include "tests/contract/definitions.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {
const std::string kAny = R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})";
}

TEST_CASE("nothing is created any more while a CRD is deleted, everything else goes on", "[T018]") {
  const std::string space = peer().space();
  const std::string path = install("leavers", "Leaver", kAny, space);
  REQUIRE(peer().post(path, object("Leaver", "free")).status == 201);
  REQUIRE(peer().post(path, object("Leaver", "held", "", R"(,"finalizers":["x.y/z"])")).status == 201);
  REQUIRE(peer().remove(crdPath("leavers")).status == 200);
  peer().eventually([&] { return condition(crdPath("leavers"), "Terminating").starts_with("True "); });
  Reply refused;
  peer().eventually([&] {
    refused = peer().post(path, object("Leaver", "late"));
    if (refused.status == 201) peer().remove(path + "/late");
    return refused.status != 201;
  });
  CHECK(refused.status == 403);
  CHECK(refused.message() ==
        "leavers.test.io \"late\" is forbidden: create not allowed while custom resource definition is terminating");
  peer().eventually([&] { return peer().get(path + "/free").status == 404; });  // instances go by themselves
  peer().eventually([&] { return peer().get(path + "/held").at({"metadata", "deletionTimestamp"}).size() == 20; });
  CHECK(peer().patch(path + "/held", R"({"spec":{"a":1}})").status == 200);
  peer().eventually([&] {  // a server that has looked for a minute says for a moment that it did
    return condition(crdPath("leavers"), "Terminating") ==
           "True InstanceDeletionInProgress: CustomResource deletion is in progress";
  });
  CHECK(peer().patch(path + "/held", R"({"metadata":{"finalizers":null}})").status == 200);
  peer().eventually([&] { return peer().get(crdPath("leavers")).status == 404; });
  peer().eventually([&] { return peer().get(path).status == 404; });
}

TEST_CASE("the next CRD of the name begins empty", "[T018]") {
  const std::string space = peer().space();
  for (int i = 0; i < 2; ++i) {
    const std::string path = install("returners", "Returner", kAny, space);
    CHECK(json::arrayAt(peer().get(path).json(), {"items"})->empty());
    REQUIRE(peer().post(path, object("Returner", "a")).status == 201);
    uninstall("returners");
  }
}

TEST_CASE("a CRD that was never served can be deleted", "[T018]") {
  const std::string space = peer().space();
  (void)install("owners", "Owner", kAny, space);
  REQUIRE(peer().post(kCrdPath, crd("imitators", "Owner", kAny)).status == 201);
  peer().eventually([] { return condition(crdPath("imitators"), "Established").starts_with("False "); });
  uninstall("imitators");
  CHECK(peer().get(objects(space, "owners")).status == 200);
  uninstall("owners");
}
