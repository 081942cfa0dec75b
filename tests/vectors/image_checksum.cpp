// Image → checksum, and the patch that tells a node of it (spec/ironic.md §5.9).
#include "coordinator/host/ironic/instance.hpp"
#include "tests/vectors/vector_runner.hpp"

#include <algorithm>

namespace {

using namespace ingot;
namespace backend = coordinator::host::ironic_backend;

backend::Deployment deploymentIn(const json::Value& in) {
  const json::Value* image = json::find(in, {"image"});
  const json::Value* hints = json::find(in, {"rootDeviceHints"});
  return {.uid = json::textAt(in, {"uid"}),
          .image = image ? json::decode<std::optional<api::Image>>(*image).value_or(api::Image{}) : api::Image{},
          .customDeployMethod = json::textAt(in, {"customDeploy", "method"}),
          .bootMode = json::textAt(in, {"bootMode"}),
          .rootDeviceHints = hints ? json::decode<std::optional<api::RootDeviceHints>>(*hints) : std::nullopt,
          .imagePullSecret = json::textAt(in, {"imagePullSecret"})};
}

std::string orDefault(const json::Value& in, std::string_view key) {
  const std::string value = json::textAt(in, {key});
  return value.empty() ? "Default" : value;
}

json::Array updatesFor(const json::Value& in) {
  const auto node = json::decode<ironic::Node>(in.at("node"));
  const backend::Settings settings{
      .liveIsoForcePersistentBootDevice = orDefault(in, "liveISOForcePersistentBootDevice"),
      .directDeployForcePersistentBootDevice = orDefault(in, "directDeployForcePersistentBootDevice")};
  ironic::NodePatch patch(node);
  backend::setInstance(patch, node, deploymentIn(in), settings);
  json::Array sorted = patch.operations();
  std::sort(sorted.begin(), sorted.end(), [](const json::Value& a, const json::Value& b) {
    return json::textAt(a, {"path"}) < json::textAt(b, {"path"});
  });
  return sorted;
}

vectors::Outcome runImageChecksum(const vectors::Line& line) {
  const json::Value* given = json::find(line.in, {"image"});
  const auto image = given ? json::decode<std::optional<api::Image>>(*given) : std::nullopt;
  const auto checksum = api::resolveChecksum(image);
  const json::Array updates = updatesFor(line.in);
  const json::Object out{{"checksum", checksum.value},
                         {"checksumType", checksum.type},
                         {"isLiveISO", image && image->isLiveIso()},
                         {"isOCI", image && image->isOci()},
                         {"nodeUpdates", updates.empty() ? json::Value() : json::Value(updates)}};
  return vectors::compare(line, out, checksum.error.empty() ? std::nullopt : std::optional(checksum.error));
}

const vectors::Registration imageChecksumRegistration("image_checksum", runImageChecksum);

}  // namespace
