// What kube-controller-manager does beside a real kube-apiserver, and the embedded API by itself. Left out when the
// peer is a kube-apiserver alone (run.sh says so to Catch).
#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

std::string ownedBy(const Reply& owner, const std::string& more = {}) {
  return R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","name":")" + owner.at({"metadata", "name"}) +
         R"(","uid":")" + owner.at({"metadata", "uid"}) + "\"" + more + "}";
}
std::string child(const std::string& space, const std::string& name, const std::string& owners) {
  REQUIRE(
      peer().post(core(space, "configmaps"), configMap(name, "", R"(,"ownerReferences":[)" + owners + "]")).status ==
      201);
  return core(space, "configmaps") + "/" + name;
}
bool gone(const std::string& path) { return peer().get(path).status == 404; }

}  // namespace

TEST_CASE("children go with their last owner", "[T106][T109][controllers]") {
  const std::string space = peer().space();
  const Reply a = peer().post(hosts(space), host("a")), b = peer().post(hosts(space), host("b"));
  const std::string one = child(space, "one", ownedBy(a)), two = child(space, "two", ownedBy(a) + "," + ownedBy(b));
  REQUIRE(peer().remove(hosts(space) + "/a").status == 200);
  peer().eventually([&] { return gone(one); });
  peer().eventually(
      [&] { return json::arrayAt(peer().get(two).json(), {"metadata", "ownerReferences"})->size() == 1; });
}

TEST_CASE("foreground deletion waits for blocking children", "[T107][controllers]") {
  const std::string space = peer().space();
  const Reply a = peer().post(hosts(space), host("a"));
  const std::string held = child(space, "held", ownedBy(a, R"(,"blockOwnerDeletion":true)"));
  REQUIRE(peer().patch(held, R"({"metadata":{"finalizers":["x.y/z"]}})").status == 200);
  REQUIRE(peer().remove(hosts(space) + "/a", R"({"propagationPolicy":"Foreground"})").status == 200);
  peer().eventually([&] { return !peer().get(held).at({"metadata", "deletionTimestamp"}).empty(); });
  CHECK(peer().get(hosts(space) + "/a").status == 200);
  REQUIRE(peer().patch(held, R"({"metadata":{"finalizers":null}})").status == 200);
  peer().eventually([&] { return gone(hosts(space) + "/a"); });
}

TEST_CASE("orphaned children stay without the reference", "[T108][controllers]") {
  const std::string space = peer().space();
  const std::string path = child(space, "c", ownedBy(peer().post(hosts(space), host("a"))));
  REQUIRE(peer().remove(hosts(space) + "/a", R"({"propagationPolicy":"Orphan"})").status == 200);
  peer().eventually([&] { return gone(hosts(space) + "/a"); });
  CHECK(json::find(peer().get(path).json(), {"metadata", "ownerReferences"}) == nullptr);
}

TEST_CASE("owners that do not exist", "[T110][T111][controllers]") {
  const std::string space = peer().space(), other = peer().space();
  const std::string missing = R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","name":"no","uid":"u"})";
  const std::string strange = R"({"apiVersion":"no.such/v1","kind":"Thing","name":"no","uid":"u"})";
  const std::string lost = child(space, "lost", missing), kept = child(space, "kept", strange);
  const std::string across = child(other, "across", ownedBy(peer().post(hosts(space), host("a"))));
  peer().eventually([&] { return gone(lost) && gone(across); });
  CHECK(peer().get(kept).status == 200);
  peer().eventually(
      [&] { return peer().get(core(other, "events")).text.find("OwnerRefInvalidNamespace") != std::string::npos; });
}

TEST_CASE("a namespace goes when its content has", "[T112][controllers]") {
  const std::string space = peer().space();
  REQUIRE(peer().post(hosts(space), host("a", R"({"online":true})", R"(,"finalizers":["x.y/z"])")).status == 201);
  REQUIRE(peer().remove("/api/v1/namespaces/" + space).status == 200);
  peer().eventually(
      [&] { return peer().get("/api/v1/namespaces/" + space).text.find("SomeFinalizersRemain") != std::string::npos; });
  const json::Value waiting = peer().get("/api/v1/namespaces/" + space).json();
  CHECK(json::arrayAt(waiting, {"status", "conditions"})->size() == 5);
  REQUIRE(peer().patch(hosts(space) + "/a", R"({"metadata":{"finalizers":null}})").status == 200);
  peer().eventually([&] { return gone("/api/v1/namespaces/" + space); });
}
