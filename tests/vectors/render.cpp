// Templates → metaData and networkData, byte for byte (spec/capm3.md §17).
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "cloudinit/meta_data.hpp"
#include "cloudinit/network_data.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace {

using namespace ingot;
namespace v1beta2 = api::capm3::v1beta2;

std::optional<kube::ObjectMeta> metadataIn(const json::Value& in, std::string_view name) {
  const json::Value* object = json::find(in, {name});
  if (!object || object->is_null()) return std::nullopt;
  return json::decode<kube::ObjectMeta>(object->at("metadata"));
}

cloudinit::PoolAddresses poolsIn(const json::Value& in) {
  cloudinit::PoolAddresses out;
  const json::Object* pools = json::objectAt(in, {"pools"});
  if (!pools) return out;
  for (const auto& [name, pool] : *pools) {
    cloudinit::PoolAddress& address = out[name];
    address.address = json::textAt(pool, {"address"});
    address.gateway = json::textAt(pool, {"gateway"});
    if (const auto prefix = json::intAt(pool, {"prefix"})) address.prefix = static_cast<int>(*prefix);
    if (const auto* servers = json::arrayAt(pool, {"dnsServers"}))
      for (const auto& server : *servers) address.dnsServers.emplace_back(server.get_string());
  }
  return out;
}

const kube::ObjectMeta* addressOf(const std::optional<kube::ObjectMeta>& object) { return object ? &*object : nullptr; }

using Render = std::string (*)(const v1beta2::Metal3DataTemplateSpec&, const cloudinit::Snapshot&);

std::string metaData(const v1beta2::Metal3DataTemplateSpec& spec, const cloudinit::Snapshot& snapshot) {
  return spec.metaData ? cloudinit::renderMetaData(*spec.metaData, snapshot) : "";
}

std::string networkData(const v1beta2::Metal3DataTemplateSpec& spec, const cloudinit::Snapshot& snapshot) {
  return spec.networkData ? cloudinit::renderNetworkData(*spec.networkData, snapshot) : "";
}

vectors::Outcome runRender(const vectors::Line& line, Render render) {
  const auto spec = json::decode<v1beta2::Metal3DataTemplateSpec>(line.in.at("spec"));
  const auto data = json::decode<v1beta2::Metal3Data>(line.in.at("metal3Data"));
  const auto host = json::decode<std::optional<api::BareMetalHost>>(line.in.at("bareMetalHost"));
  const auto machine = metadataIn(line.in, "machine"), metal3Machine = metadataIn(line.in, "metal3Machine");
  const auto pools = poolsIn(line.in);
  const cloudinit::Snapshot snapshot{.data = data,
                                     .machine = addressOf(machine),
                                     .metal3Machine = addressOf(metal3Machine),
                                     .host = host ? &*host : nullptr,
                                     .pools = pools};
  try {
    return vectors::compare(line, json::Value(render(spec, snapshot)), std::nullopt);
  } catch (const cloudinit::RenderError& error) {
    return vectors::compare(line, nullptr, error.reason());  // without field and value, which upstream does not name
  }
}

const vectors::Registration metaDataRegistration("render_metadata",
                                                 [](const vectors::Line& line) { return runRender(line, metaData); });
const vectors::Registration networkDataRegistration("render_networkdata", [](const vectors::Line& line) {
  return runRender(line, networkData);
});

}  // namespace
