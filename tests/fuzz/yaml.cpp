// A manifest: what is read and written again reads the same.
#include "json/yaml.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  try {
    const auto value = json::parseYamlValue({reinterpret_cast<const char*>(data), size});
    if (!json::equal(json::parseYamlValue(json::toYaml(value)), value)) std::abort();
  } catch (const json::YamlError&) {
  }
  return 0;
}
