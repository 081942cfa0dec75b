// Templates of any shape: rendered or refused, never a crash; what is rendered is YAML that reads back as what it was
// made from. The same for any document through the YAML writer.
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "cloudinit/meta_data.hpp"
#include "cloudinit/network_data.hpp"
#include "json/yaml.hpp"

#include <cstdlib>

namespace {

using namespace ingot;

cloudinit::PoolAddresses pools() {
  return {{"", {.address = "10.0.0.1", .prefix = 24, .gateway = "10.0.0.254", .dnsServers = {"8.8.8.8"}}},
          {"p", {.address = "fd00::1"}}};
}

void render(const json::Value& spec) {
  const auto wanted = json::decode<api::capm3::v1beta2::Metal3DataTemplateSpec>(spec);
  const api::capm3::v1beta2::Metal3Data data;
  const kube::ObjectMeta machine, metal3Machine;
  const api::BareMetalHost host;
  const auto addresses = pools();
  const cloudinit::Snapshot snapshot{
      .data = data, .machine = &machine, .metal3Machine = &metal3Machine, .host = &host, .pools = addresses};
  if (wanted.metaData) static_cast<void>(cloudinit::renderMetaData(*wanted.metaData, snapshot));
  if (wanted.networkData) static_cast<void>(cloudinit::renderNetworkData(*wanted.networkData, snapshot));
}

// yaml-cpp follows YAML 1.2, where U+2028 and U+2029 are no line breaks: texts with them are left out.
bool comparable(const std::string& text) {
  return !text.contains("\xE2\x80\xA8") && !text.contains("\xE2\x80\xA9") && !text.contains("\\_");
}

void writeAndRead(const json::Value& document) {
  const std::string text = json::toYaml(document, json::YamlStyle::exact);
  if (comparable(text) && !json::equal(json::parseYamlValue(text), document)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  json::Value document;
  try {
    document = json::parse({reinterpret_cast<const char*>(data), size});
  } catch (const json::ParseError&) {
    return 0;
  }
  try {
    writeAndRead(document);
  } catch (const json::YamlWriteError&) {
  }
  try {
    render(document);
  } catch (const json::DecodeError&) {
  } catch (const cloudinit::RenderError&) {
  }
  return 0;
}
