#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

TEST_CASE("a plain deletion says whose it was", "[T097][T103][T104]") {
  const std::string space = peer().space();
  const Reply made = peer().post(hosts(space), host("a"));
  CHECK(peer().remove(hosts(space) + "/a", R"({"propagationPolicy":"Foo"})").status == 422);
  const Reply wrong = peer().remove(hosts(space) + "/a", R"({"preconditions":{"uid":"bad"}})");
  CHECK(wrong.status == 409);
  CHECK(wrong.message().find("the UID in the precondition (bad) does not match the UID in record (") !=
        std::string::npos);
  CHECK(peer().remove(hosts(space) + "/a?dryRun=All").status == 200);
  const Reply gone = peer().remove(hosts(space) + "/a");
  CHECK(gone.status == 200);
  CHECK(gone.at({"status"}) == "Success");
  CHECK(gone.at({"details", "uid"}) == made.at({"metadata", "uid"}));
  CHECK(gone.at({"details", "kind"}) == "baremetalhosts");
  CHECK(peer().get(hosts(space) + "/a").message() == "baremetalhosts.metal3.io \"a\" not found");
}

TEST_CASE("finalizers hold an object", "[T098][T099][T100][T101][T102]") {
  const std::string space = peer().space();
  const std::string path = hosts(space) + "/a";
  REQUIRE(peer().post(hosts(space), host("a", R"({"online":true})", R"(,"finalizers":["x.y/z"])")).status == 201);
  const Reply marked = peer().remove(path);
  CHECK(marked.status == 200);
  CHECK(marked.at({"metadata", "deletionTimestamp"}).size() == 20);
  CHECK(json::intAt(marked.json(), {"metadata", "deletionGracePeriodSeconds"}) == 0);
  CHECK(marked.generation() == 2);
  CHECK(peer().remove(path).version() == marked.version());
  const Reply more = peer().patch(path, R"({"metadata":{"finalizers":["x.y/z","n.e/w"]}})");
  CHECK(more.status == 422);
  CHECK(
      more.message().find(
          "no new finalizers can be added if the object is being deleted, found new finalizers []string{\"n.e/w\"}") !=
      std::string::npos);
  const Reply again = peer().post(hosts(space), host("a"));
  CHECK(again.status == 409);
  CHECK(again.message() == "object is being deleted: baremetalhosts.metal3.io \"a\" already exists");
  const std::string version = marked.version();
  const auto lines = peer().watch(
      hosts(space) + "?watch=true&resourceVersion=" + version, [](const auto& all) { return !all.empty(); },
      [&] { CHECK(peer().patch(path, R"({"metadata":{"finalizers":[]}})").status == 200); });
  REQUIRE(lines.size() == 1);
  CHECK(json::textAt(lines[0], {"type"}) == "DELETED");
  CHECK(peer().get(path).status == 404);
}

TEST_CASE("a collection is deleted by selector", "[T105]") {
  const std::string space = peer().space();
  REQUIRE(peer().post(hosts(space), host("a", R"({"online":true})", R"(,"labels":{"k":"1"})")).status == 201);
  REQUIRE(peer().post(hosts(space), host("b")).status == 201);
  const Reply touched = peer().remove(hosts(space) + "?labelSelector=k%3D1");
  CHECK(touched.status == 200);
  CHECK(touched.at({"kind"}) == "BareMetalHostList");
  CHECK(touched.json().at("items").as_array().size() == 1);
  CHECK(peer().get(hosts(space)).json().at("items").as_array().size() == 1);
  CHECK(peer().remove("/api/v1/namespaces").status == 405);
}

TEST_CASE("propagation policies become finalizers", "[T107][T108]") {
  const std::string space = peer().space();
  for (const auto& [policy, finalizer] :
       {std::pair{"Foreground", "foregroundDeletion"}, std::pair{"Orphan", "orphan"}}) {
    const std::string name = policy == std::string("Orphan") ? "o" : "f";
    REQUIRE(peer().post(hosts(space), host(name, R"({"online":true})", R"(,"finalizers":["x.y/z"])")).status == 201);
    const Reply marked =
        peer().remove(hosts(space) + "/" + name, R"({"propagationPolicy":")" + std::string(policy) + "\"}");
    CHECK(marked.text.find(finalizer) != std::string::npos);
    CHECK(peer().patch(hosts(space) + "/" + name, R"({"metadata":{"finalizers":null}})").status == 200);
  }
}

TEST_CASE("system namespaces stay", "[T113]") {
  const Reply refused = peer().remove("/api/v1/namespaces/kube-system");
  CHECK(refused.status == 403);
  CHECK(refused.message().find("this namespace may not be deleted") != std::string::npos);
}

TEST_CASE("nothing is created in a namespace that is going", "[T112]") {
  const std::string space = peer().space();
  REQUIRE(peer().post(hosts(space), host("a", R"({"online":true})", R"(,"finalizers":["x.y/z"])")).status == 201);
  const Reply going = peer().remove("/api/v1/namespaces/" + space);
  CHECK(going.status == 200);
  CHECK(going.at({"status", "phase"}) == "Terminating");
  const Reply refused = peer().post(core(space, "configmaps"), configMap("c2"));
  CHECK(refused.status == 403);
  CHECK(refused.message() == "configmaps \"c2\" is forbidden: unable to create new content in namespace " + space +
                                 " because it is being terminated");
  CHECK(refused.text.find("NamespaceTerminating") != std::string::npos);
  CHECK(peer().patch(hosts(space) + "/a", R"({"metadata":{"finalizers":null}})").status == 200);
}
