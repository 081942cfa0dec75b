// What of an object is compared, and who wrote it.
#include "coordinator/shadow/fields.hpp"

#include "coordinator/shadow/target.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

using namespace ingot;
using coordinator::shadow::Change;
using coordinator::shadow::changes;
using coordinator::shadow::Fields;
using coordinator::shadow::fieldsOf;
using coordinator::shadow::managerOf;
using coordinator::shadow::targetOf;

TEST_CASE("an object is its leaves, and lists are known by what their items are called", "[shadow]") {
  struct Row {
    const char *object, *path, *value;  // path "": nothing is compared
  };
  const Row rows[] = {
      {R"({"spec":{"image":{"url":"http://i"}}})", "spec.image.url", R"("http://i")"},
      {R"({"spec":{"online":true}})", "spec.online", "true"},
      {R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"a/b"}}})",
       "metadata.annotations[metal3.io/BareMetalHost]", R"("a/b")"},
      {R"({"metadata":{"finalizers":["x.metal3.io"]}})", "metadata.finalizers[x.metal3.io]", "true"},
      {R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})", "status.conditions[Ready].status",
       R"("True")"},
      {R"({"spec":{"dns":["10.0.0.1","10.0.0.2"]}})", "spec.dns", R"(["10.0.0.1","10.0.0.2"])"},
      {R"({"spec":{"disks":[{"size":2},{"size":1}]}})", "spec.disks", R"([{"size":2},{"size":1}])"},
      {R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":"{\"a\":1}"}}})",
       "metadata.annotations[baremetalhost.metal3.io/status]", R"("{...}")"},
      {R"({"metadata":{"annotations":{"x/list":" [{\"a\":\"planted\"}]"}}})", "metadata.annotations[x/list]",
       R"("{...}")"},
      {R"({"metadata":{"annotations":{"x/yaml":"a: planted\nb: c\n"}}})", "metadata.annotations[x/yaml]", R"("{...}")"},
      {R"({"metadata":{"annotations":{"x/line":"password: planted"}}})", "metadata.annotations[x/line]", R"("{...}")"},
      {R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":"planted"}}})",
       "metadata.annotations[baremetalhost.metal3.io/status]", R"("{...}")"},
      {R"({"metadata":{"deletionTimestamp":"2026-11-22T04:23:18Z"}})", "metadata.deletionTimestamp", "true"},
      // Nobody decides these, or Ingot alone.
      {R"({"metadata":{"resourceVersion":"7","generation":2,"uid":"u","name":"n","managedFields":[{"manager":"m"}]}})",
       "", ""},
      {R"({"metadata":{"labels":{"ingot.dev/x":"y"},"finalizers":["ingot.dev/z"]}})", "", ""},
      {R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/block-move":"ingot.dev/move"}}})", "", ""},
      {R"({"status":{"conditions":[{"type":"PowerStateKnown","status":"True"}]}})", "", ""},
      {R"({"status":{"lastUpdated":"2026-11-22T04:23:18Z","errorMessage":"no","errorCount":3}})", "", ""},
      {R"({"status":{"conditions":[{"type":"Ready","message":"why","observedGeneration":2}]}})",
       "status.conditions[Ready].type", R"("Ready")"},
      {R"({"spec":{"a":"","b":{},"c":[],"d":null,"e":false,"f":0}})", "", ""},
      {R"({"apiVersion":"v1","kind":"Secret"})", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.object);
    const Fields wanted = *row.path == '\0' ? Fields{} : Fields{{row.path, row.value}};
    Fields found = fieldsOf(json::parse(row.object));
    std::erase_if(found, [&](const auto& field) { return field.first.ends_with(".type") && field.first != row.path; });
    CHECK(found == wanted);
  }
}

TEST_CASE("hardware is compared as a whole, also where only its digest is kept", "[shadow]") {
  using coordinator::shadow::digestHardware;
  const auto host = [](int memory, const char* time) {
    return json::parse(fmt::format(
        R"({{"spec":{{"online":true}},"status":{{"hardware":{{"ramMebibytes":{},"nics":[{{"mac":"a"}}],"at":"{}"}}}}}})",
        memory, time));
  };
  const json::Value a = host(1024, "2026-11-22T04:23:18Z"), b = host(2048, "2026-11-22T04:23:18Z");
  json::Value kept = a;
  digestHardware(kept);
  CHECK(json::serialize(kept).find("ramMebibytes") == std::string::npos);
  CHECK(changes(fieldsOf(kept), fieldsOf(a)).empty());
  CHECK(changes(fieldsOf(kept), fieldsOf(host(1024, "2026-12-01T00:00:00Z"))).empty());
  const auto changed = changes(fieldsOf(kept), fieldsOf(b));
  REQUIRE(changed.size() == 1);
  CHECK(changed.front().path == "status.hardware");
}

TEST_CASE("conditions in another order are the same", "[shadow]") {
  const auto a = fieldsOf(json::parse(R"({"status":{"conditions":[{"type":"A","status":"True"},{"type":"B"}]}})"));
  const auto b = fieldsOf(json::parse(R"({"status":{"conditions":[{"type":"B"},{"type":"A","status":"True"}]}})"));
  CHECK(changes(a, b).empty());
}

TEST_CASE("two versions are told apart field by field", "[shadow]") {
  const Fields before{{"a", "1"}, {"b", "1"}, {"d", "1"}}, after{{"b", "2"}, {"c", "3"}, {"d", "1"}};
  CHECK(changes(before, after) ==
        std::vector<Change>{{"a", "1", std::nullopt}, {"b", "1", "2"}, {"c", std::nullopt, "3"}});
}

TEST_CASE("managed fields say who wrote a field last", "[shadow]") {
  const json::Value object = json::parse(R"({"metadata":{"managedFields":[
    {"manager":"kubectl","time":"2026-11-22T04:23:18Z","fieldsV1":{"f:spec":{"f:online":{},"f:image":{}}}},
    {"manager":"capm3","time":"2026-11-22T04:23:20Z","fieldsV1":{"f:metadata":{"f:finalizers":{"v:\"x.y\"":{}},
      "f:annotations":{"f:metal3.io/BareMetalHost":{}}}}},
    {"manager":"bmo","time":"2026-11-22T04:23:19Z","fieldsV1":{"f:spec":{"f:online":{}},
      "f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:status":{}}}}}}]}})");
  CHECK(managerOf(object, "spec.online") == "bmo");
  CHECK(managerOf(object, "spec.image.url") == "kubectl");  // of the whole image
  CHECK(managerOf(object, "spec.imageName") == "capm3");    // nobody's: who wrote last of those who wrote since
  CHECK(managerOf(object, "status.conditions[Ready].status") == "bmo");
  CHECK(managerOf(object, "metadata.finalizers[x.y]") == "capm3");
  CHECK(managerOf(object, "metadata.annotations[metal3.io/BareMetalHost]") == "capm3");
  CHECK(managerOf(json::parse("{}"), "spec.online") == "");
}

TEST_CASE("who removed a field is only known when he wrote something as well", "[shadow]") {
  using coordinator::shadow::writesIn;
  const auto object = [](const char* operatorAt, const char* users) {
    return json::parse(fmt::format(R"({{"metadata":{{"managedFields":[
        {{"manager":"kubectl","operation":"Update","time":"2026-11-22T04:23:20Z","fieldsV1":{{"f:metadata":{{"f:annotations":{{{}}}}}}}}},
        {{"manager":"bmo","operation":"Update","subresource":"status","time":"{}","fieldsV1":{{"f:status":{{"f:poweredOn":{{}}}}}}}}]}}}})",
                                   users, operatorAt));
  };
  const auto before = writesIn(object("2026-11-22T04:23:25Z", R"("f:x":{},"f:paused":{})"));
  const char* gone = "metadata.annotations[paused]";
  const char* left = R"("f:x":{})";  // of what he owned
  CHECK(managerOf(object("2026-11-22T04:23:25Z", left), gone, before) == std::nullopt);
  CHECK(managerOf(object("2026-11-22T04:24:00Z", left), gone, before) == "bmo");
  CHECK(managerOf(object("2026-11-22T04:23:25Z", left), "status.poweredOn", before) == "bmo");
  CHECK(managerOf(json::parse("{}"), gone, before) == "");
}

TEST_CASE("values of Secrets can be told apart and not read", "[shadow]") {
  const auto hidden = [](const char* text, const char* salt) {
    json::Value object = json::parse(text);
    coordinator::shadow::hideSecrets(object, salt);
    return json::serialize(object);
  };
  const char* secret = R"({"kind":"Secret","metadata":{"annotations":{"a":"planted"}},"data":{"password":"planted"}})";
  CHECK(hidden(secret, "salt").find("planted") == std::string::npos);
  CHECK(hidden(secret, "salt") == hidden(secret, "salt"));
  CHECK(hidden(secret, "salt") != hidden(secret, "pepper"));
  CHECK(hidden(R"({"kind":"Node","data":"planted"})", "salt").find("planted") != std::string::npos);
}

TEST_CASE("an error or a condition says why", "[shadow]") {
  using coordinator::shadow::reasonIn;
  const auto ready = json::parse(R"({"status":{"conditions":[{"type":"Ready","message":"no host"}]}})");
  CHECK(reasonIn(json::parse("{}"), ready) == "Ready: no host");
  CHECK(reasonIn(ready, ready).empty());
  CHECK(reasonIn(json::parse("{}"), json::parse(R"({"status":{"errorMessage":"broken"}})")) == "broken");
}

TEST_CASE("what reaches through an object is told apart, however it is written", "[shadow]") {
  using coordinator::shadow::reachesThrough;
  for (const char* url :
       {"/api/v1/namespaces/n/pods/x/exec?command=rm", "/api/v1/namespaces/n/pods/x/attach",
        "/api/v1/namespaces/n/pods/x/portforward", "/api/v1/namespaces/n/pods/x/proxy/a/b", "/api/v1/nodes/x/proxy",
        "/api/v1/nodes/x/proxy/run", "/api/v1/namespaces/n/services/x/proxy/", "/api/v1/proxy/nodes/x",
        "/api/v1/namespaces/n/pods/x/%65xec", "/api/v1//nodes/x/proxy", "/api/v1/nodes/y/status/../../x/proxy",
        "/apis/g/v1/namespaces/n/things/x/proxy"}) {
    CAPTURE(url);
    CHECK(reachesThrough(url));
  }
  for (const char* url : {"/api/v1/namespaces/n/pods/exec", "/api/v1/namespaces/proxy/secrets/x", "/api/v1/nodes/proxy",
                          "/api/v1/nodes/x/status", "/v1/nodes/x/proxy", "/", "/api", "/apis"}) {
    CAPTURE(url);
    CHECK_FALSE(reachesThrough(url));
  }
}

TEST_CASE("a URL says which object it is about", "[shadow]") {
  struct Row {
    const char *url, *resource, *namespace_, *name, *subresource;
  };
  const Row rows[] = {
      {"/api/v1/namespaces/metal/secrets/a?dryRun=All", "secrets", "metal", "a", ""},
      {"/api/v1/namespaces/metal/secrets", "secrets", "metal", "", ""},
      {"/api/v1/nodes/n/status", "nodes", "", "n", "status"},
      {"/api/v1/namespaces/metal", "namespaces", "", "metal", ""},
      {"/api/v1/namespaces/metal/status", "namespaces", "", "metal", "status"},
      {"/apis/metal3.io/v1alpha1/namespaces/m/baremetalhosts/a%2Db/status", "baremetalhosts.metal3.io", "m", "a-b",
       "status"},
      {"/apis/metal3.io/v1alpha1/baremetalhosts?watch=true", "baremetalhosts.metal3.io", "", "", ""},
      {"/v1/nodes/1/states/power", nullptr, "", "", ""},
      {"/version", nullptr, "", "", ""},
      {"/apis/metal3.io", nullptr, "", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.url);
    const auto target = targetOf(row.url);
    REQUIRE(target.has_value() == (row.resource != nullptr));
    if (!target) continue;
    CHECK(target->resource == row.resource);
    CHECK(target->key == kube::ObjectKey{row.namespace_, row.name});
    CHECK(target->subresource == row.subresource);
  }
}
