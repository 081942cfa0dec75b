// Versions, patches, bodies and error texts.
#include "ironic-client/error.hpp"
#include "ironic-client/messages.hpp"
#include "ironic-client/node_patch.hpp"
#include "ironic-client/version.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::ironic;

TEST_CASE("the version we speak follows from the server's newest") {
  struct Row {
    int newest;
    const char* chosen;
  };
  for (const Row& row : {Row{50, "1.89"}, Row{89, "1.89"}, Row{93, "1.93"}, Row{95, "1.95"}, Row{100, "1.95"},
                         Row{109, "1.109"}, Row{110, "1.110"}, Row{115, "1.110"}})
    CHECK(Features{row.newest}.microversion() == row.chosen);
  CHECK(Features{95}.disablePowerOff());
  CHECK_FALSE(Features{109}.deployAbort());
}

TEST_CASE("version documents of the root and of /v1 are understood") {
  CHECK(negotiate(json::parse(R"({"version": {"id": "v1", "version": "1.95"}})")).maxMinor == 95);
  CHECK(negotiate(json::parse(R"({"versions": [{"id": "v1", "max_version": "1.110"}]})")).maxMinor == 110);
  CHECK_THROWS_WITH(negotiate(json::parse(R"({"version": {"version": "1.82"}})")),
                    "ironic API 1.89 or newer is required, got 1.82");
  CHECK_THROWS_AS(negotiate(json::parse("[]")), Error);
}

TEST_CASE("a patch holds only what differs") {
  Node node;
  node.name = "n";
  node.properties = {{"cpu_arch", "x86_64"}, {"size", 42}};
  NodePatch patch(node);
  patch.setText("", "name", "n").setText("properties", "cpu_arch", "x86_64").set("properties", "gone", nullptr);
  CHECK(patch.empty());

  patch.setText("properties", "size", "42").set("", "automated_clean", false).set("properties", "cpu_arch", nullptr);
  CHECK(json::serialize(patch.operations()) ==
        R"([{"op":"add","path":"/properties/size","value":"42"},{"op":"add","path":"/automated_clean","value":false},)"
        R"({"op":"remove","path":"/properties/cpu_arch"}])");
}

TEST_CASE("what belongs to the record itself is always there to be removed") {
  NodePatch patch{Node{}};
  patch.set("", "instance_uuid", nullptr);
  CHECK(patch.operations().size() == 1);
}

TEST_CASE("a patch is logged without secrets") {
  NodePatch patch{Node{}};
  patch.set("", "driver_info", json::Object{{"redfish_password", "hunter2"}, {"redfish_username", "u"}})
      .setText("instance_info", "image_pull_secret", "hunter3");
  CHECK_THAT(patch.describeForLog(), !Catch::Contains("hunter") && Catch::Contains("redfish_username"));
}

TEST_CASE("a request carries only what belongs to its verb") {
  const ProvisionRequest deploy{.verb = Verb::deploy,
                                .configDrive = json::Object{{"meta_data", json::Object()}},
                                .deploySteps = {{.interface = "deploy", .step = "install", .priority = 80}}};
  CHECK(
      json::serialize(messages::provisionBody(deploy)) ==
      R"({"target":"active","configdrive":{"meta_data":{}},"deploy_steps":[{"interface":"deploy","step":"install","args":{},"priority":80}]})");
  CHECK(json::serialize(messages::provisionBody({.verb = Verb::manage, .configDrive = "x"})) ==
        R"({"target":"manage"})");
  CHECK(json::serialize(
            messages::provisionBody({.verb = Verb::clean, .cleanSteps = {{"raid", "delete_configuration"}}})) ==
        R"({"target":"clean","clean_steps":[{"interface":"raid","step":"delete_configuration"}]})");
}

TEST_CASE("fault texts are dug out of their wrappings") {
  CHECK(faultText(R"({"error_message": "{\"faultcode\":\"Client\",\"faultstring\":\"no such node\"}"})") ==
        "no such node");
  CHECK(faultText(R"({"error_message": {"faultstring": "plain object"}})") == "plain object");
  CHECK(faultText(R"({"error": {"message": "who are you", "code": 401}})") == "who are you");
  CHECK(faultText("  502 Bad Gateway \n") == "502 Bad Gateway");
}

TEST_CASE("the next page is looked for where we are, not where Ironic believes to be") {
  const json::Object page{{"next", "http://internal:6385/v1/nodes?limit=2&marker=u"}};
  CHECK(messages::nextPage(page, "/v1") == "/nodes?limit=2&marker=u");
  CHECK(messages::nextPage(page, "") == "/v1/nodes?limit=2&marker=u");
  CHECK(messages::nextPage(json::Object{}, "/v1").empty());
}
