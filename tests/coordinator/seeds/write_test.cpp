#include "tests/coordinator/seeds/write.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::seeds {

TEST_CASE("writes are named by who makes them, of what, and what for", "[seeds]") {
  const std::string metal = "/apis/metal3.io/v1alpha1/namespaces/metal/baremetalhosts/h1",
                    infra = "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/metal/";
  const auto name = [](const std::string& author, const std::string& method, const std::string& target,
                       const std::string& body) {
    return nameOfWrite(author, {.method = method, .target = target, .body = body}).value_or("");
  };
  CHECK(name("machine", "PATCH", metal, R"({"spec":{"consumerRef":{}}})") == "machine: PATCH baremetalhosts claim");
  CHECK(name("machine", "PATCH", metal, R"({"spec":{"consumerRef":null}})") == "machine: PATCH baremetalhosts release");
  CHECK(name("machine", "PATCH", metal, R"({"spec":{"consumerRef":{"kind":"Cluster"}}})") ==
        "machine: PATCH baremetalhosts keep");
  CHECK(name("machine", "PATCH", metal,
             R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"metal3.io/capm3"}}})") ==
        "machine: PATCH baremetalhosts rest");
  CHECK(name("machine", "PATCH", metal, R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})") ==
        "machine: PATCH baremetalhosts wake");
  CHECK(name("machine", "PATCH", metal, R"({"spec":{"image":{}}})") == "machine: PATCH baremetalhosts deploy");
  CHECK(name("machine", "PATCH", metal, R"({"spec":{"image":null}})") == "machine: PATCH baremetalhosts stop");
  CHECK(name("remediation", "PATCH", metal, R"({"metadata":{"annotations":{"reboot.metal3.io/a":""}}})") ==
        "remediation: PATCH baremetalhosts hold off");
  CHECK(name("remediation", "PATCH", metal, R"({"metadata":{"annotations":{"reboot.metal3.io/a":null}}})") ==
        "remediation: PATCH baremetalhosts let on");
  CHECK(name("remediation", "PATCH", metal, R"({"metadata":{"annotations":null}})") ==
        "remediation: PATCH baremetalhosts let on");
  CHECK(name("host_move", "PATCH", metal, R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":"{}"}}})") ==
        "host_move: PATCH baremetalhosts rest");
  const std::string block =
      R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/block-move":"ingot.dev/move"}}})";
  CHECK(name("host_move", "PATCH", metal, block) == "host_move: PATCH baremetalhosts block move");
  CHECK(name("host_move", "PATCH", metal, R"({"metadata":{"annotations":null}})") ==
        "host_move: PATCH baremetalhosts allow move");
  CHECK(name("machine", "PATCH", infra + "metal3machines/m0", R"({"spec":{"dataTemplate":{"namespace":"metal"}}})") ==
        "machine: PATCH metal3machines template");
  CHECK(name("data", "POST", infra + "metal3datas?fieldManager=x", "{}") == "data: POST metal3datas");
  CHECK(name("data", "PATCH", infra + "metal3datas/a/status", "{}") == "data: PATCH metal3datas/status");
  CHECK(name("data", "PATCH", infra + "metal3datas/a", R"({"metadata":{"finalizers":null}})") ==
        "data: PATCH metal3datas let go");
  CHECK(name("", "PATCH", "/api/v1/nodes/a", R"({"spec":{"providerID":"x"}})") == "machine: PATCH nodes");
  CHECK(name("", "PATCH", "/api/v1/nodes/a", R"({"spec":{"taints":[{}]}})") ==
        "remediation: PATCH nodes out of service");
  CHECK(name("", "PATCH", "/api/v1/nodes/a", R"({"metadata":{"labels":{"x":"y"}}})") ==
        "label_sync: PATCH nodes labels");
  CHECK(name("data", "GET", infra + "metal3datas", "").empty());
  CHECK(name("data", "POST", "/api/v1/namespaces/metal/events", "{}").empty());
}

}  // namespace ingot::tests::seeds
