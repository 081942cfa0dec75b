#include "tests/apiserver/http/fixture.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;

TEST_CASE("a host is created, read, changed and deleted over HTTP", "[apiserver][http]") {
  EmbeddedFixture api;
  const Answered created = api.send("POST", kHosts, host("h1"));
  REQUIRE(created.status == 201);
  CHECK(created.at({"metadata", "uid"}).size() == 36);
  CHECK(created.at({"spec", "automatedCleaningMode"}) == "metadata");

  const Answered read = api.get(kHosts + "/h1");
  CHECK(read.status == 200);
  CHECK(read.headers.get("Content-Type") == "application/json");

  const Answered changed = api.patch(kHosts + "/h1", R"({"spec":{"online":false}})");
  CHECK(changed.status == 200);
  CHECK(json::intAt(changed.json(), {"metadata", "generation"}) == 2);

  const Answered gone = api.send("DELETE", kHosts + "/h1", R"({"propagationPolicy":"Background"})");
  CHECK(gone.status == 200);
  CHECK(gone.at({"details", "uid"}) == created.at({"metadata", "uid"}));
  CHECK(api.get(kHosts + "/h1").status == 404);
}

TEST_CASE("nobody without credentials gets more than the health checks", "[apiserver][http]") {
  EmbeddedFixture api({}, {});
  CHECK(api.get("/livez").text == "ok");
  CHECK(api.get("/readyz").text == "ok");
  const Answered refused = api.get("/api/v1/secrets");
  CHECK(refused.status == 401);
  CHECK(refused.at({"reason"}) == "Unauthorized");
  CHECK(api.get("/version").status == 401);
}

TEST_CASE("several schema errors come as one 422 with a cause each", "[apiserver][http]") {
  EmbeddedFixture api;
  const Answered refused =
      api.send("POST", kHosts, host("h1", R"({"online":"yes","automatedCleaningMode":"foo","bootMACAddress":"zz"})"));
  REQUIRE(refused.status == 422);
  const json::Value status = refused.json();
  CHECK(json::arrayAt(status, {"details", "causes"})->size() == 3);
  CHECK(refused.at({"details", "kind"}) == "BareMetalHost");
  CHECK(refused.text.find(
            R"(spec.online: Invalid value: \"string\": spec.online in body must be of type boolean: \"string\")") !=
        std::string::npos);
  CHECK(refused.text.find(R"(Unsupported value: \"foo\": supported values: \"metadata\", \"disabled\")") !=
        std::string::npos);
}

TEST_CASE("unknown fields are pruned with a warning, refused when strict, silent when ignored", "[apiserver][http]") {
  EmbeddedFixture api;
  const std::string body = host("h1", R"({"online":true,"foo":1})");
  const Answered strict = api.send("POST", kHosts + "?fieldValidation=Strict", body);
  CHECK(strict.status == 400);
  CHECK(strict.at({"message"}) ==
        "BareMetalHost in version \"v1alpha1\" cannot be handled as a BareMetalHost: strict decoding error: unknown "
        "field \"spec.foo\"");
  const Answered warned = api.send("POST", kHosts, body);
  CHECK(warned.status == 201);
  CHECK(warned.headers.get("Warning") == "299 - \"unknown field \\\"spec.foo\\\"\"");
  CHECK(json::find(warned.json(), {"spec", "foo"}) == nullptr);
  CHECK_FALSE(api.send("POST", kHosts + "?fieldValidation=Ignore", host("h2", R"({"online":true,"foo":1})"))
                  .headers.find("Warning"));
}

TEST_CASE("a repeated member is refused when strict", "[apiserver][http]") {
  EmbeddedFixture api;
  const Answered strict =
      api.send("POST", kHosts + "?fieldValidation=Strict", host("h1", R"({"online":true,"online":false})"));
  CHECK(strict.status == 400);
  CHECK(strict.at({"message"}).find("duplicate field \"spec.online\"") != std::string::npos);
}

TEST_CASE("what is not supported is refused, never ignored", "[apiserver][http]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  CHECK(api.patch(kHosts + "/h1?fieldManager=m", "{}", "application/apply-patch+yaml").status == 415);
  CHECK(api.patch(kHosts + "/h1", "{}", "application/strategic-merge-patch+json").status == 415);
  CHECK(api.send("POST", kHosts, "\xa1", {{"Content-Type", "application/cbor"}}).status == 415);
  CHECK(api.get(kHosts, "text/html").status == 406);
  CHECK(api.get(kHosts + "/h1/scale").status == 404);
}

TEST_CASE("whoever asks to act as somebody else is refused, not served with his own rights", "[apiserver][http]") {
  EmbeddedFixture api;
  const Answered as = api.send("GET", kHosts, {}, {{"Impersonate-User", "jane"}});
  CHECK(as.status == 403);
  CHECK(as.at({"reason"}) == "Forbidden");
  CHECK(as.at({"message"}) == "users \"jane\" is forbidden: this server supports no impersonation");
  CHECK(api.send("GET", kHosts, {}, {{"impersonate-extra-scopes", "view"}}).status == 400);
  CHECK(api.send("DELETE", kHosts, {}, {{"Impersonate-Group", "viewers"}}).status == 400);
  CHECK(api.send("POST", kHosts, host("h1"), {{"IMPERSONATE-USER", "jane"}}).status == 403);
  CHECK(api.get(kHosts + "/h1").status == 404);
  CHECK(api.send("GET", "/api", {}, {{"Impersonate-User", "jane"}}).status == 200);  // the same for everybody
}

TEST_CASE("DeleteOptions of a wrong type are refused: a precondition that is not understood guards nothing",
          "[apiserver][http]") {
  EmbeddedFixture api;
  REQUIRE(api.send("POST", kHosts, host("h1")).status == 201);
  const std::string body =
      GENERATE(as<std::string>(), R"({"preconditions":{"uid":5}})", R"({"preconditions":{"resourceVersion":5}})",
               R"({"preconditions":"x"})", R"({"propagationPolicy":1})", R"({"orphanDependents":"true"})",
               R"({"dryRun":"All"})", R"({"dryRun":[1]})", R"({"gracePeriodSeconds":"0"})");
  CAPTURE(body);
  const Answered refused = api.send("DELETE", kHosts + "/h1", body);
  CHECK(refused.status == 400);
  CHECK(refused.at({"reason"}) == "BadRequest");
  CHECK_THAT(refused.at({"message"}), Catch::StartsWith("json: cannot unmarshal "));
  CHECK(api.send("DELETE", kHosts, body).status == 400);
  CHECK(api.get(kHosts + "/h1").status == 200);
  CHECK(api.send("DELETE", kHosts + "/h1", R"({"preconditions":{"uid":null},"gracePeriodSeconds":0})").status == 200);
}

TEST_CASE("dependents can be left behind by query as well as by body", "[apiserver][http]") {
  EmbeddedFixture api({});
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const auto map = [](const std::string& name, const std::string& owner) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + R"(","ownerReferences":[)" + owner +
           "]}}";
  };
  const std::string uid = api.send("POST", maps, map("parent", "")).at({"metadata", "uid"});
  REQUIRE(api.send("POST", maps,
                   map("child", R"({"apiVersion":"v1","kind":"ConfigMap","name":"parent","uid":")" + uid + R"("})"))
              .status == 201);
  CHECK(api.send("DELETE", maps + "/parent?orphanDependents=true&propagationPolicy=Orphan").status == 422);
  CHECK(api.send("DELETE", maps + "/parent?orphanDependents=true").status == 200);
  api.loop.clock.advance(std::chrono::seconds(5));
  CHECK(api.get(maps + "/parent").status == 404);
  CHECK(api.get(maps + "/child").status == 200);
}

TEST_CASE("paths that nobody serves are answered as the real server does", "[apiserver][http]") {
  EmbeddedFixture api;
  CHECK(api.get("/apis/nope.io/v1").text == "404 page not found\n");
  CHECK(api.get("/apis/metal3.io/v1alpha1/foos").text == "404 page not found\n");
  const Answered core = api.get("/api/v1/namespaces/x/foos");
  CHECK(core.status == 404);
  CHECK(core.at({"message"}) == "the server could not find the requested resource");
}

TEST_CASE("bodies come as YAML too, and answers", "[apiserver][http]") {
  EmbeddedFixture api;
  const std::string yaml =
      "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata:\n  name: h1\nspec:\n  online: true\n";
  CHECK(api.send("POST", kHosts, yaml, {{"Content-Type", "application/yaml"}}).status == 201);
  const Answered read = api.get(kHosts + "/h1", "application/yaml");
  CHECK(read.headers.get("Content-Type") == "application/yaml");
  CHECK(read.text.find("kind: BareMetalHost") != std::string::npos);
}
