// Texts that are no UTF-8 are stored as Go's JSON says them, whatever they came in, so that everybody can read them.
#include "tests/contract/peer.hpp"
#include "tests/contract/protobuf.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

const std::string kReplaced = "\xef\xbf\xbd";  // U+FFFD

std::string configMapOf(const std::string& name, const std::string& value) {
  return configMap(name, R"(,"data":{"k":")" + value + R"("})");
}
Reply postConfigMap(const std::string& space, const std::string& name, const std::string& value) {
  return postProtobuf(core(space, "configmaps"),
                      envelope("v1", "ConfigMap", named(name) + field(2, field(1, "k") + field(2, value))));
}

}  // namespace

TEST_CASE("a protobuf text that is no UTF-8 is read, listed, changed and deleted as JSON says it", "[T041]") {
  const std::string space = peer().space(), path = core(space, "configmaps");
  const Reply made = postConfigMap(space, "a", "x\xff\xfey");
  REQUIRE(made.status == 201);
  CHECK(made.at({"data", "k"}) == "x" + kReplaced + kReplaced + "y");
  REQUIRE(postConfigMap(space, "b", "\xc3").status == 201);
  const Reply list = peer().get(path);
  REQUIRE(list.status == 200);
  CHECK(list.json().at("items").at(0).at("data").at("k") == json::Value("x" + kReplaced + kReplaced + "y"));
  CHECK(list.json().at("items").at(1).at("data").at("k") == json::Value(kReplaced));
  CHECK(peer().patch(path + "/b", R"({"data":{"other":"v"}})").at({"data", "k"}) == kReplaced);
  CHECK(peer().remove(path + "/b").status == 200);
  CHECK(peer().get(path + "/b").status == 404);
}

TEST_CASE("a JSON text that is no UTF-8 is read with replacement characters, of built-in and custom kinds", "[T040]") {
  const std::string space = peer().space();
  const Reply map = peer().post(core(space, "configmaps"), configMapOf("a", "x\xff\xfey"));
  REQUIRE(map.status == 201);
  CHECK(map.at({"data", "k"}) == "x" + kReplaced + kReplaced + "y");
  CHECK(peer().patch(core(space, "configmaps") + "/a", "{\"data\":{\"k\":\"\xc0\"}}").at({"data", "k"}) == kReplaced);
  const Reply custom = peer().post(hosts(space), host("a", "{\"online\":true,\"description\":\"x\xff\"}"));
  REQUIRE(custom.status == 201);
  CHECK(custom.at({"spec", "description"}) == "x" + kReplaced);
  CHECK(peer().patch(hosts(space) + "/a", "{\"spec\":{\"description\":\"\xe2\x82\"}}").at({"spec", "description"}) ==
        kReplaced + kReplaced);
  CHECK(peer().get(hosts(space) + "/a").at({"spec", "description"}) == kReplaced + kReplaced);
}

TEST_CASE("what was stored of such texts is there after a restart", "[T041]") {
  const std::string space = peer().space();
  REQUIRE(postConfigMap(space, "a", "\xff").status == 201);
  peer().restart();
  peer().eventually([&] { return peer().get(core(space, "configmaps")).status == 200; });  // 429 while it gets ready
  CHECK(peer().get(core(space, "configmaps") + "/a").at({"data", "k"}) == kReplaced);
}

TEST_CASE("a path that is no UTF-8 names nothing, and the answer can be read", "[T009]") {
  const std::string space = peer().space();
  const Reply refused = peer().get(core(space, "configmaps") + "/%ff");
  CHECK(refused.status == 404);
  CHECK(refused.message() == R"(configmaps "\xff" not found)");
  CHECK(peer().get(core(space, "configmaps") + "/%22%c3%bc").message() == R"(configmaps "\"ü" not found)");
}
