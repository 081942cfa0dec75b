#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

const std::string kTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

std::string three() {
  const std::string space = peer().space();
  REQUIRE(peer().post(hosts(space), host("a", R"({"online":true})", R"(,"labels":{"k":"1","n":"5"})")).status == 201);
  REQUIRE(peer().post(hosts(space), host("b", R"({"online":true})", R"(,"labels":{"k":"2"})")).status == 201);
  REQUIRE(peer().post(hosts(space), host("c")).status == 201);
  return hosts(space);
}

std::string names(const Reply& list) {
  std::string out;
  for (const auto& item : list.json().at("items").as_array()) out += json::textAt(item, {"metadata", "name"});
  return out;
}

}  // namespace

TEST_CASE("pages", "[T114][T115][T116]") {
  const std::string path = three();
  const Reply first = peer().get(path + "?limit=2");
  CHECK(names(first) == "ab");
  CHECK(json::intAt(first.json(), {"metadata", "remainingItemCount"}) == 1);
  const std::string token = first.at({"metadata", "continue"});
  REQUIRE(peer().post(path, host("bb")).status == 201);
  const Reply second = peer().get(path + "?limit=2&continue=" + token);
  CHECK(names(second) == "c");
  CHECK(second.version() == first.version());
  CHECK(json::find(peer().get(path + "?limit=1&labelSelector=k").json(), {"metadata", "remainingItemCount"}) ==
        nullptr);
  CHECK(peer().get(path + "?limit=2&continue=" + token + "&resourceVersion=1").status == 400);
  CHECK(peer().get(path + "?limit=2&continue=xx").status == 400);
  CHECK(peer().get(path + "?limit=x").message() == "strconv.ParseInt: parsing \"x\": invalid syntax");
}

TEST_CASE("versions that a list may ask for", "[T118][T119]") {
  const std::string path = three();
  const auto present = std::stoll(peer().get(path).version());
  const Reply future = peer().get(fmt::format("{}?resourceVersion={}", path, present + 99'999'999));
  CHECK(future.status == 504);
  CHECK(future.text.find("ResourceVersionTooLarge") != std::string::npos);
  CHECK(peer().get(path + "?resourceVersion=0&resourceVersionMatch=Exact").status == 422);
  CHECK(peer().get(path + "?resourceVersion=abc").status == 400);
}

TEST_CASE("label and field selectors", "[T120][T121]") {
  const std::string path = three();
  const auto labels = [&](const std::string& selector) {
    return names(peer().get(path + "?labelSelector=" + selector));
  };
  CHECK(labels("k%20in%20(1,2)") == "ab");
  CHECK(labels("k%20notin%20(1)") == "bc");
  CHECK(labels("k") == "ab");
  CHECK(labels("%21k") == "c");
  CHECK(labels("k%21%3D1") == "bc");
  CHECK(labels("n%3E4") == "a");
  const Reply bad = peer().get(path + "?labelSelector=a%20b");
  CHECK(bad.status == 400);
  CHECK(bad.message().find("unable to parse requirement") != std::string::npos);
  CHECK(names(peer().get(path + "?fieldSelector=metadata.name%3Db")) == "b");
  const Reply field = peer().get(path + "?fieldSelector=spec.online%3Dtrue");
  CHECK(field.status == 400);
  CHECK(field.message().find("field label not supported: spec.online") != std::string::npos);
}

TEST_CASE("tables", "[T122]") {
  const std::string path = three();
  const json::Value table = peer().get(path + "?limit=500", kTable).json();
  std::string columns;
  for (const auto& column : table.at("columnDefinitions").as_array()) columns += json::textAt(column, {"name"}) + " ";
  CHECK(columns == "Name Status State Consumer BMC Online Error Age ");
  const json::Array& cells = table.at("rows").at(0).at("cells").as_array();
  CHECK(cells[0] == json::Value("a"));
  CHECK(cells[1].is_null());
  CHECK(cells[5] == json::Value("true"));
  CHECK(cells[7].as_string().ends_with("s"));
  CHECK(json::textAt(table.at("rows").at(0), {"object", "kind"}) == "PartialObjectMetadata");
  CHECK(peer().get(path + "?includeObject=None", kTable).json().at("rows").at(0).at("object").is_null());
  CHECK(json::textAt(peer().get(path + "?includeObject=Object", kTable).json().at("rows").at(0), {"object", "kind"}) ==
        "BareMetalHost");
  const json::Value core = peer().get("/api/v1/namespaces/default", kTable).json();
  CHECK(core.at("rows").at(0).at("cells").at(1) == json::Value("Active"));
}

TEST_CASE("metadata only", "[T123]") {
  const std::string path = three();
  const json::Value list = peer().get(path, "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1").json();
  CHECK(json::textAt(list, {"kind"}) == "PartialObjectMetadataList");
  CHECK(json::textAt(list, {"apiVersion"}) == "meta.k8s.io/v1");
  CHECK(json::find(list.at("items").at(0), {"spec"}) == nullptr);
  CHECK(json::textAt(list.at("items").at(0), {"metadata", "name"}) == "a");
  const json::Value one =
      peer().get(path + "/a", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1").json();
  CHECK(json::textAt(one, {"kind"}) == "PartialObjectMetadata");
  CHECK(json::find(one, {"spec"}) == nullptr);
}

TEST_CASE("tables and metadata of the older version", "[T122][T123]") {
  const std::string path = three();
  const Reply table = peer().get(path + "/a", "application/json;as=Table;v=v1beta1;g=meta.k8s.io");
  REQUIRE(table.status == 200);
  CHECK(table.at({"apiVersion"}) == "meta.k8s.io/v1beta1");
  CHECK(json::textAt(table.json().at("rows").at(0), {"object", "apiVersion"}) == "meta.k8s.io/v1beta1");
  const Reply one = peer().get(path + "/a", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1");
  CHECK(one.at({"apiVersion"}) == "meta.k8s.io/v1beta1");
  CHECK(peer().get(path, "application/json;as=Table;v=v9;g=meta.k8s.io").status == 406);
}
