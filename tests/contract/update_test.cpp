#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

const std::string kStatus =
    R"({"errorMessage":"","hardwareProfile":"","operationalStatus":"OK","poweredOn":true,"errorCount":0,"provisioning":{"ID":"","state":"available","image":{"url":""}}})";

Reply make(const std::string& space, const std::string& name) {
  const Reply made = peer().post(hosts(space), host(name));
  REQUIRE(made.status == 201);
  return made;
}

std::string edited(const Reply& reply, const std::function<void(json::Value&)>& edit) {
  json::Value object = reply.json();
  edit(object);
  return json::serialize(object);
}

}  // namespace

TEST_CASE("a PUT of the same content changes nothing", "[T061]") {
  const std::string space = peer().space();
  const Reply made = make(space, "a");
  const Reply same = peer().put(hosts(space) + "/a", made.text);
  CHECK(same.status == 200);
  CHECK(same.version() == made.version());
}

TEST_CASE("a PUT needs the version it was decided on", "[T062][T063][T064]") {
  const std::string space = peer().space();
  const Reply made = make(space, "a");
  REQUIRE(peer().patch(hosts(space) + "/a", R"({"spec":{"online":false}})").status == 200);
  const Reply stale = peer().put(hosts(space) + "/a", made.text);
  CHECK(stale.status == 409);
  CHECK(stale.message() ==
        "Operation cannot be fulfilled on baremetalhosts.metal3.io \"a\": the object has been modified; please apply "
        "your changes to the latest version and try again");
  const Reply without = peer().put(hosts(space) + "/a", host("a"));
  CHECK(without.status == 422);
  CHECK(without.message().find("metadata.resourceVersion: Invalid value: 0: must be specified for an update") !=
        std::string::npos);
  REQUIRE(peer().post(core(space, "secrets"), R"({"metadata":{"name":"s"}})").status == 201);
  CHECK(peer().put(core(space, "secrets") + "/s", R"({"metadata":{"name":"s"},"data":{"a":"Yg=="}})").status == 200);
}

TEST_CASE("a PUT of a missing object", "[T065]") {
  const std::string space = peer().space();
  CHECK(peer().put(hosts(space) + "/a", host("a", R"({"online":true})", R"(,"resourceVersion":"1")")).status == 404);
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/" + space + "/leases";
  CHECK(peer().put(leases + "/l", R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"me"}})").status == 201);
}

TEST_CASE("a PUT of another object", "[T066][T067]") {
  const std::string space = peer().space();
  const Reply made = make(space, "a");
  const Reply uid =
      peer().put(hosts(space) + "/a", edited(made, [](json::Value& o) { o.at("metadata").as_object()["uid"] = "xx"; }));
  CHECK(uid.status == 409);
  CHECK(uid.message().find("Precondition failed: UID in precondition: xx, UID in object meta: ") != std::string::npos);
  const Reply name = peer().put(hosts(space) + "/a",
                                edited(made, [](json::Value& o) { o.at("metadata").as_object()["name"] = "xx"; }));
  CHECK(name.status == 400);
  CHECK(name.message() == "the name of the object (xx) does not match the name on the URL (a)");
}

TEST_CASE("generation counts changes of the desired state only", "[T068][T069]") {
  const std::string space = peer().space();
  make(space, "a");
  CHECK(peer().patch(hosts(space) + "/a", R"({"metadata":{"labels":{"x":"y"}}})").generation() == 1);
  CHECK(peer().patch(hosts(space) + "/a", R"({"spec":{"online":false}})").generation() == 2);
  const Reply main = peer().patch(hosts(space) + "/a", "{\"status\":" + kStatus + "}");
  CHECK(main.status == 200);
  CHECK(json::find(main.json(), {"status"}) == nullptr);
}

TEST_CASE("/status changes the status and nothing else", "[T070][T071][T072]") {
  const std::string space = peer().space();
  const Reply made = make(space, "a");
  const Reply put = peer().put(hosts(space) + "/a/status", edited(made, [](json::Value& o) {
                                 o.get_object()["status"] = json::parse(kStatus);
                                 o.at("spec").as_object()["online"] = false;
                                 o.at("metadata").as_object()["labels"] = json::Object{{"a", "b"}};
                                 o.at("metadata").as_object()["finalizers"] = json::Array{"x.y/z"};
                               }));
  REQUIRE(put.status == 200);
  const json::Value now = put.json();
  CHECK(json::textAt(now, {"status", "provisioning", "state"}) == "available");
  CHECK(json::boolAt(now, {"spec", "online"}) == true);
  CHECK(json::find(now, {"metadata", "labels"}) == nullptr);
  CHECK(json::find(now, {"metadata", "finalizers"}) == nullptr);
  CHECK(put.generation() == 1);
  CHECK(peer()
            .patch(hosts(space) + "/a/status",
                   R"({"metadata":{"resourceVersion":")" + made.version() + R"("},"status":{"poweredOn":false}})")
            .status == 409);
  CHECK(peer().get(hosts(space) + "/a/status").at({"kind"}) == "BareMetalHost");
  CHECK(peer().get(hosts(space) + "/a/scale").status == 404);
}

TEST_CASE("Secrets", "[T074]") {
  const std::string space = peer().space();
  const std::string path = core(space, "secrets");
  const Reply made = peer().post(path, R"({"metadata":{"name":"s"},"stringData":{"a":"b"}})");
  CHECK(made.status == 201);
  CHECK(made.at({"data", "a"}) == "Yg==");
  CHECK(made.at({"type"}) == "Opaque");
  CHECK(json::find(made.json(), {"stringData"}) == nullptr);
  CHECK(peer().patch(path + "/s", R"({"type":"other"})").status == 422);
  const Reply bad = peer().post(path, R"({"metadata":{"name":"t"},"data":{"a":"!"}})");
  CHECK(bad.status == 400);
  CHECK(bad.message().find("illegal base64 data at input byte 0") != std::string::npos);
  REQUIRE(peer().patch(path + "/s", R"({"immutable":true})").status == 200);
  const Reply frozen = peer().patch(path + "/s", R"({"data":{"a":"eA=="}})");
  CHECK(frozen.status == 422);
  CHECK(frozen.message().find("data: Forbidden: field is immutable when `immutable` is set") != std::string::npos);
}

TEST_CASE("a Lease has one winner, and microseconds", "[T140]") {
  const std::string space = peer().space();
  const std::string path = "/apis/coordination.k8s.io/v1/namespaces/" + space + "/leases";
  const Reply made = peer().post(
      path,
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},"spec":{"renewTime":"2026-01-01T00:00:00.123456Z"}})");
  REQUIRE(made.status == 201);
  CHECK(made.at({"spec", "renewTime"}) == "2026-01-01T00:00:00.123456Z");
  const auto claim = [&](const char* who) {
    return net::HttpRequest{
        .method = "PUT",
        .target = path + "/l",
        .headers = {{"Content-Type", "application/json"}},
        .body = edited(made, [&](json::Value& o) { o.at("spec").as_object()["holderIdentity"] = who; })};
  };
  const auto [a, b] = peer().together(claim("a"), claim("b"));
  CHECK(std::set<int>{a.status, b.status} == std::set<int>{200, 409});
}

TEST_CASE("an Event is one object in both groups", "[T141]") {
  const std::string space = peer().space();
  const std::string body = R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","namespace":")" + space +
                           R"(","name":"p","uid":"u1"},"reason":"Why","message":"text","type":"Normal"})";
  REQUIRE(peer().post(core(space, "events"), body).status == 201);
  CHECK(peer().get("/apis/events.k8s.io/v1/namespaces/" + space + "/events/e").at({"note"}) == "text");
  const std::string selector =
      "?fieldSelector=involvedObject.uid%3Du1%2CinvolvedObject.name%3Dp%2CinvolvedObject.namespace%3D" + space +
      "%2CinvolvedObject.kind%3DPod";
  CHECK(peer().get(core(space, "events") + selector).json().at("items").as_array().size() == 1);
  CHECK(peer().patch(core(space, "events") + "/e", R"({"count":2})", "application/strategic-merge-patch+json").status ==
        200);
  CHECK(peer()
            .patch(core(space, "events") + "/none", R"({"count":2})", "application/strategic-merge-patch+json")
            .status == 404);
}
