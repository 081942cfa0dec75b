// What rules are shown, write by write.
#pragma once

#include "tests/coordinator/seeds/rules.hpp"

#include <fmt/format.h>

namespace ingot::tests::seeds {

struct Book {
  Rules rules;
  Ledger ledger{[this](const Ledger& all, const Change& change) { rules.judge(all, change); }};

  void put(const std::string& resource, const std::string& name, const std::string& text) {
    ledger.record(resource, name, json::parse(text));
  }
  void drop(const std::string& resource, const std::string& name) { ledger.record(resource, name, nullptr); }
  void machine(const std::string& name) {
    put("metal3machines", name,
        R"({"metadata":{"finalizers":["metal3machine.infrastructure.cluster.x-k8s.io"]},"spec":{"dataTemplate":{}}})");
  }
  // `spec`: what follows the consumer.
  void host(const std::string& name, const std::string& machine, const std::string& state = "available",
            const std::string& spec = "") {
    const std::string consumer =
        machine.empty() ? "null" : fmt::format(R"({{"kind":"Metal3Machine","name":"{}"}})", machine);
    put("baremetalhosts", name,
        fmt::format(R"({{"spec":{{"consumerRef":{}{}}},"status":{{"provisioning":{{"state":"{}"}}}}}})", consumer, spec,
                    state));
  }
  void data(const std::string& name, int index, const std::string& machine, bool ready = false) {
    put("metal3datas", name,
        fmt::format(R"({{"spec":{{"index":{},"template":{{"name":"dt"}},"claim":{{"name":"{}"}},)"
                    R"("metaData":{{"name":"{}-metadata"}}}},"status":{{"ready":{}}}}})",
                    index, machine, machine, ready));
  }
  void secret(const std::string& name, const std::string& data, const std::string& text) {
    put("secrets", name,
        fmt::format(R"({{"metadata":{{"ownerReferences":[{{"kind":"Metal3Data","name":"{}"}}]}},"data":{}}})", data,
                    text));
  }
  void address(const std::string& name, const std::string& ip, const std::string& claim) {
    put("ipaddresses", name,
        fmt::format(R"({{"spec":{{"address":"{}","pool":{{"name":"prov"}},"claim":{{"name":"{}"}}}}}})", ip, claim));
  }
  void claimOf(const std::string& name, const std::string& data) {
    put("ipclaims", name,
        fmt::format(R"({{"metadata":{{"ownerReferences":[{{"kind":"Metal3Data","name":"{}"}}]}}}})", data));
  }
  // The one breach holds this.
  [[nodiscard]] bool broke(const std::string& what) const {
    return rules.breaches().size() == 1 && rules.breaches().front().find(what) != std::string::npos;
  }
};

}  // namespace ingot::tests::seeds
