// A fake BMC with a machine's hardware, for tests of inventories.
#pragma once

#include "tests/bmc/redfish_bench.hpp"

namespace ingot::tests {

inline constexpr auto systemResource = "/redfish/v1/Systems/1";

inline std::string listOf(std::initializer_list<std::string_view> paths, std::string_view more = "") {
  std::string members;
  for (const auto path : paths) members += fmt::format(R"({}{{"@odata.id":"{}"}})", members.empty() ? "" : ",", path);
  return fmt::format(R"({{"Members":[{}]{}}})", members, more);
}

struct InventoryBench : RedfishBench {
  InventoryBench() {
    auto& documents = fake.documents;
    documents[systemResource] = R"({"Id":"1","Manufacturer":"Contoso ","Model":"m1","SerialNumber":"s1","SKU":"sku",
      "BiosVersion":"2.1","HostName":"localhost","PowerState":"On","MemorySummary":{"TotalSystemMemoryGiB":31.5},
      "Processors":{"@odata.id":"/p"},"EthernetInterfaces":{"@odata.id":"/e"},"Storage":{"@odata.id":"/s"}})";
    documents["/p"] = listOf({"/p/1", "/p/2", "/p/gpu", "/p/empty"});
    for (const std::string cpu : {"/p/1", "/p/2"})
      documents[cpu] =
          R"({"@odata.id":")" + cpu +
          R"(","Name":"CPU 1","ProcessorType":"CPU","InstructionSet":"x86-64","Model":" Xeon ","MaxSpeedMHz":2100,
        "TotalThreads":32,"TotalCores":16})";
    documents["/p/gpu"] = R"({"ProcessorType":"GPU","Model":"H100","TotalThreads":10000})";
    documents["/p/empty"] = R"({"ProcessorType":"CPU","TotalThreads":32,"Status":{"State":"Absent"}})";
    documents["/e"] = listOf({"/e/1"}, R"(,"Members@odata.nextLink":"/e2")");
    documents["/e2"] = listOf({"/e/2", "/e/3"});
    documents["/e/1"] = R"({"Id":"NIC.1","MACAddress":"00-1A-2B-3C-4D-5E","SpeedMbps":25000,
      "IPv4Addresses":[{"Address":"10.0.0.7"},{"Address":"0.0.0.0"}],"IPv6Addresses":[{"Address":"fd00::7"}]})";
    documents["/e/2"] = R"({"Id":"NIC.2","MACAddress":null,"PermanentMACAddress":"00:1a:2b:3c:4d:5f"})";
    documents["/e/3"] = R"({"Id":"NIC.3","MACAddress":""})";
    documents["/s"] = listOf({"/s/1"});
    documents["/s/1"] = R"({"Drives":[{"@odata.id":"/d/1"},{"@odata.id":"/d/2"},{"@odata.id":"/d/3"}]})";
    documents["/d/1"] =
        R"({"Id":"Disk.1","Manufacturer":"ACME","Model":"ssd","SerialNumber":"d1","CapacityBytes":960197124096,
      "Protocol":"NVMe","MediaType":"SSD","Identifiers":[{"DurableName":"x","DurableNameFormat":"UUID"},
      {"DurableName":"50:02:53:8E:40:A1:B2:C3","DurableNameFormat":"NAA"}]})";
    documents["/d/2"] = R"({"Id":"Disk.2","CapacityBytes":4000787030016,"Protocol":"SAS","MediaType":"HDD"})";
    documents["/d/3"] = R"({"Id":"Disk.3","CapacityBytes":null})";
  }
  bmc::Inventory take() { return run(driver->inventory->readInventory(bmc::Lane::reconcile)); }

  // The service root: with an update service, and as one that expands collections, or not.
  void showFirmware(bool expands) {
    fake.documents["/"] = fmt::format(
        R"({{"Systems":{{"@odata.id":"/redfish/v1/Systems"}},"UpdateService":{{"@odata.id":"/u"}},
        "Links":{{"Sessions":{{"@odata.id":"/redfish/v1/SessionService/Sessions"}}}},
        "ProtocolFeaturesSupported":{{"ExpandQuery":{{"Levels":{}}}}}}})",
        expands);
    fake.documents["/u"] = R"({"FirmwareInventory":{"@odata.id":"/fw"}})";
  }
};

}  // namespace ingot::tests
