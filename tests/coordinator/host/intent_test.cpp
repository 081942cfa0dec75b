#include "coordinator/host/intent.hpp"

#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

struct Wish {
  std::string image, method;      // wanted
  std::string onImage, onMethod;  // on the host
  bool cancelled;
};

TEST_CASE("what is on a host is given up exactly when something else is wanted", "[host][intent]") {
  const Wish rows[] = {
      {"", "", "", "", true},    // nothing is wanted
      {"u", "", "", "", false},  // on its way
      {"u", "", "u", "", false},   {"v", "", "u", "", true},   {"", "", "u", "", true},
      {"u", "", "u", "m", true},  // the custom deployment was taken away, the image kept
      {"", "m", "", "", false},    {"", "m", "", "m", false},  {"", "n", "", "m", true},
      {"u", "m", "u", "m", false}, {"v", "m", "u", "m", true},  // same method, other image
      {"", "m", "u", "m", true},
  };
  for (const Wish& row : rows) {
    HostBuilder host = aHost(State::provisioned);
    if (!row.image.empty()) host.image(row.image);
    if (!row.method.empty()) host.method(row.method);
    if (!row.onImage.empty()) host.deployed(row.onImage);
    if (!row.onMethod.empty()) host.deployedMethod(row.onMethod);
    INFO("wanted " << row.image << "/" << row.method << " on " << row.onImage << "/" << row.onMethod);
    CHECK(provisioningCancelled(host) == row.cancelled);
  }
}

TEST_CASE("an image without URL counts as none, and being offline cancels nothing", "[host][intent]") {
  CHECK(provisioningCancelled(aHost(State::provisioned).image("")));
  CHECK_FALSE(provisioningCancelled(aHost(State::provisioned).image("u").deployed("u").online(false)));
}

TEST_CASE("only the URL decides: another checksum leaves a host alone", "[host][intent]") {
  const auto host =
      aHost(State::provisioned).image("u").deployed("u").with([](auto& h) { h.spec.image->checksum = "d"; });
  CHECK_FALSE(provisioningCancelled(host));
}

TEST_CASE("a new inspection is asked for by any value of the annotation but disabled", "[host][intent]") {
  CHECK(inspectionRequested(aHost(State::available).annotated(api::annotation::inspect)));
  CHECK_FALSE(inspectionRequested(aHost(State::available).annotated(api::annotation::inspect, "disabled")));
  CHECK_FALSE(inspectionRequested(aHost(State::available)));
}

TEST_CASE("the architecture is the user's word, else what inspection found", "[host][intent]") {
  auto host = aHost(State::available).build();
  host.status.hardware.emplace().cpu.arch = "aarch64";
  CHECK(architecture(host) == "aarch64");
  host.spec.architecture = "riscv64";
  CHECK(architecture(host) == "riscv64");
}

}  // namespace
}  // namespace ingot::tests
