#include "cloudinit/config_drive.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using cloudinit::configDrive;

namespace {

const cloudinit::Machine machine{"1d7e", "metal3", "worker-0"};

std::string complaintAbout(const cloudinit::Sources& sources) {
  try {
    static_cast<void>(configDrive(machine, sources));
    return "";
  } catch (const cloudinit::ConfigDriveError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a machine without any data still learns who it is") {
  const json::Object drive = configDrive(machine, {});
  CHECK(json::equal(drive, json::parse(R"({"meta_data": {
      "uuid": "1d7e", "metal3-namespace": "metal3", "metal3-name": "worker-0",
      "local-hostname": "worker-0", "local_hostname": "worker-0", "name": "worker-0"}})")));
}

TEST_CASE("metadata of the user is laid over ours") {
  const json::Value drive = configDrive(machine, {.metaData = base::Secret("name: other\nrack: 7\n")});
  CHECK(json::textAt(drive, {"meta_data", "name"}) == "other");
  CHECK(json::intAt(drive, {"meta_data", "rack"}) == 7);
  CHECK(json::textAt(drive, {"meta_data", "local-hostname"}) == "worker-0");
}

TEST_CASE("user data is passed on verbatim, network data as an object") {
  const std::string userData = "#cloud-config\nusers: [root]\n";
  const json::Value drive =
      configDrive(machine, {.userData = base::Secret(userData), .networkData = base::Secret(R"({"links": []})")});
  CHECK(json::textAt(drive, {"user_data"}) == userData);
  CHECK(json::arrayAt(drive, {"network_data", "links"}) != nullptr);
}

TEST_CASE("empty sources leave no trace") {
  const json::Object drive = configDrive(machine, {.networkData = base::Secret("---\n")});
  CHECK_FALSE(drive.contains("network_data"));
  CHECK_FALSE(drive.contains("user_data"));
}

TEST_CASE("a broken source is named") {
  CHECK_THAT(complaintAbout({.networkData = base::Secret("links: [")}),
             Catch::StartsWith("failed to unmarshal network_data.json from secret: "));
  CHECK_THAT(complaintAbout({.metaData = base::Secret("just text")}),
             Catch::StartsWith("failed to unmarshal metadata from secret: "));
}
