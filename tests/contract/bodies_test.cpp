#include "tests/contract/peer.hpp"
#include "tests/contract/protobuf.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

TEST_CASE("a YAML body is read", "[T040]") {
  const std::string space = peer().space();
  const std::string yaml =
      "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata:\n  name: a\nspec:\n  online: true\n";
  CHECK(peer().send("POST", hosts(space), yaml, {{"Content-Type", "application/yaml"}}).status == 201);
}

TEST_CASE("protobuf bodies of core kinds are read", "[T041]") {
  const std::string space = peer().space();
  const Reply secret =
      postProtobuf(core(space, "secrets"),
                   envelope("v1", "Secret", named("s") + field(2, field(1, "k") + field(2, "v")) + field(3, "Opaque")));
  CHECK(secret.status == 201);
  CHECK(secret.at({"data", "k"}) == "dg==");
  const Reply map = postProtobuf(core(space, "configmaps"),
                                 envelope("v1", "ConfigMap", named("c") + field(2, field(1, "k") + field(2, "v"))));
  CHECK(map.status == 201);
  CHECK(map.at({"data", "k"}) == "v");
  const Reply spaceMade = postProtobuf("/api/v1/namespaces",
                                       envelope("v1", "Namespace", named(space + "-2") + field(2, "") + field(3, "")));
  CHECK(spaceMade.status == 201);
  const std::string time =
      number(1, 1) + std::string("\x10\xc0\xc4\x07", 4);  // 1 s, 123456 µs in ns would not fit: 123456 ns
  const Reply lease =
      postProtobuf("/apis/coordination.k8s.io/v1/namespaces/" + space + "/leases",
                   envelope("coordination.k8s.io/v1", "Lease",
                            named("l") + field(2, field(1, "me") + number(2, 15) + field(4, time) + number(5, 0))));
  CHECK(lease.status == 201);
  CHECK(lease.at({"spec", "holderIdentity"}) == "me");
  CHECK(json::intAt(lease.json(), {"spec", "leaseTransitions"}) == 0);
  CHECK(lease.at({"spec", "renewTime"}) == "1970-01-01T00:00:01.000123Z");
  const std::string about = field(2, field(1, "Pod") + field(2, space) + field(3, "p"));
  const Reply event = postProtobuf(
      core(space, "events"),
      envelope("v1", "Event",
               named("e") + about + field(3, "Why") + field(4, "text") + number(8, 1) + field(9, "Normal")));
  CHECK(event.status == 201);
  CHECK(event.at({"involvedObject", "name"}) == "p");
  const Reply review = postProtobuf(
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      envelope("authorization.k8s.io/v1", "SelfSubjectAccessReview",
               field(1, "") + field(2, field(1, field(2, "get") + field(5, "pods"))) + field(3, number(1, 0))));
  CHECK(review.status == 201);
  CHECK(json::boolAt(review.json(), {"status", "allowed"}) == true);
}

TEST_CASE("formats that nobody reads or writes", "[T042][T043][T044][T045]") {
  const std::string space = peer().space();
  const Reply cbor = peer().send("POST", hosts(space), "\xa1", {{"Content-Type", "application/cbor"}});
  CHECK(cbor.status == 415);
  CHECK(cbor.message() ==
        "the body of the request was in an unknown format - accepted media types include: application/json, "
        "application/yaml, application/vnd.kubernetes.protobuf");
  CHECK(peer().send("POST", hosts(space), "x", {{"Content-Type", "text/plain"}}).status == 415);
  CHECK(peer().get(hosts(space), "text/html").status == 406);
  CHECK(peer().get(hosts(space), "application/vnd.kubernetes.protobuf,application/json").status == 200);
}

TEST_CASE("unknown and repeated fields, as fieldValidation says", "[T046][T047][T048][T049]") {
  const std::string space = peer().space();
  const std::string unknown = R"({"online":true,"zz":1,"foo":2})";
  const Reply warned = peer().post(hosts(space), host("a", unknown));
  CHECK(warned.status == 201);
  CHECK(warned.headers.get("Warning") == "299 - \"unknown field \\\"spec.foo\\\"\"");
  CHECK(json::find(warned.json(), {"spec", "foo"}) == nullptr);
  const Reply strict = peer().post(hosts(space) + "?fieldValidation=Strict", host("b", unknown));
  CHECK(strict.status == 400);
  CHECK(strict.message() ==
        "BareMetalHost in version \"v1alpha1\" cannot be handled as a BareMetalHost: strict decoding error: unknown "
        "field \"spec.foo\", unknown field \"spec.zz\"");
  const Reply silent = peer().post(hosts(space) + "?fieldValidation=Ignore", host("b", unknown));
  CHECK(silent.status == 201);
  CHECK_FALSE(silent.headers.find("Warning"));
  const Reply twice =
      peer().post(hosts(space) + "?fieldValidation=Strict", host("c", R"({"online":true,"online":false,"foo":1})"));
  CHECK(twice.status == 400);
  CHECK(
      twice.message().ends_with("strict decoding error: duplicate field \"spec.online\", unknown field \"spec.foo\""));
  CHECK(peer().post(hosts(space) + "?fieldValidation=foo", host("d")).status == 422);
}

TEST_CASE("broken bodies", "[T030]") {
  const std::string space = peer().space();
  CHECK(peer().post(hosts(space), "{\"a\":").message() ==
        "the object provided is unrecognized (must be of type BareMetalHost): couldn't get version/kind; json parse "
        "error: unexpected end of JSON input ({\"a\":)");
  CHECK(peer().post(hosts(space), "[]").status == 400);
  CHECK(peer().post(hosts(space), host("a", R"({"online":true})", R"(,"labels":{"a":1})")).message() ==
        "BareMetalHost in version \"v1alpha1\" cannot be handled as a BareMetalHost: json: cannot unmarshal number "
        "into Go struct field ObjectMeta.labels of type string");
  CHECK(peer().post(core(space, "configmaps"), configMap("a", R"(,"data":{"a":1})")).message() ==
        "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct "
        "field ConfigMap.data of type string");
}

TEST_CASE("names of members are told apart by case", "[T046][T047]") {
  const std::string space = peer().space();
  const Reply custom = peer().post(hosts(space) + "?fieldValidation=Strict",
                                   host("a", R"({"online":true})", R"(,"Annotations":{"a":"b"})"));
  CHECK(custom.status == 400);
  CHECK(custom.message().ends_with("strict decoding error: unknown field \"metadata.Annotations\""));
  const Reply ours = peer().post(core(space, "configmaps") + "?fieldValidation=Strict",
                                 configMap("a", R"(,"Data":{"k":"v"},"another":1)", R"(,"Annotations":{"a":"b"})"));
  CHECK(ours.status == 400);  // of core kinds in the order of the document
  CHECK(ours.message() ==
        "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field "
        "\"metadata.Annotations\", unknown field \"Data\", unknown field \"another\"");
}

TEST_CASE("what is empty is not kept", "[T020][T076]") {
  const std::string space = peer().space();
  const std::string empty = R"(,"annotations":{},"labels":{},"finalizers":[],"ownerReferences":[])";
  const auto metadata = [](const Reply& reply) { return *json::objectAt(reply.json(), {"metadata"}); };
  for (const Reply& made : {peer().post(hosts(space), host("a", R"({"online":true})", empty)),
                            peer().post(core(space, "configmaps"), configMap("a", R"(,"data":{})", empty))}) {
    REQUIRE(made.status == 201);
    for (const auto* member : {"annotations", "labels", "finalizers", "ownerReferences"})
      CHECK_FALSE(metadata(made).contains(member));
    CHECK_FALSE(made.json().get_object().contains("data"));
  }
  const Reply a = peer().get(hosts(space) + "/a");
  CHECK(peer().patch(hosts(space) + "/a", R"({"metadata":{"annotations":{}}})").version() == a.version());
}
