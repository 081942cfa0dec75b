// Every input of the corpus, once more: what a fuzz target found stays mended.
#include "base/file.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

// LLVMFuzzerTestOneInput of each target; CMakeLists.txt gives them these names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
int fuzz_wire(const unsigned char* data, std::size_t size);
int fuzz_pieces(const unsigned char* data, std::size_t size);
int fuzz_bmc_address(const unsigned char* data, std::size_t size);
int fuzz_redfish_error(const unsigned char* data, std::size_t size);
int fuzz_redfish_driver(const unsigned char* data, std::size_t size);
int fuzz_event_stream(const unsigned char* data, std::size_t size);
int fuzz_agent_journal(const unsigned char* data, std::size_t size);
int fuzz_http_connection(const unsigned char* data, std::size_t size);
int fuzz_ipmitool_output(const unsigned char* data, std::size_t size);
int fuzz_json_patch(const unsigned char* data, std::size_t size);
int fuzz_yaml(const unsigned char* data, std::size_t size);
int fuzz_protobuf(const unsigned char* data, std::size_t size);
int fuzz_render(const unsigned char* data, std::size_t size);
int fuzz_conversion(const unsigned char* data, std::size_t size);
int fuzz_ip_range(const unsigned char* data, std::size_t size);
}
// NOLINTEND(readability-identifier-naming)

using namespace ingot;

namespace {

struct Target {
  const char* name;
  int (*run)(const unsigned char*, std::size_t);
};
constexpr Target targets[] = {{"wire", fuzz_wire},
                              {"pieces", fuzz_pieces},
                              {"bmc_address", fuzz_bmc_address},
                              {"redfish_error", fuzz_redfish_error},
                              {"redfish_driver", fuzz_redfish_driver},
                              {"event_stream", fuzz_event_stream},
                              {"agent_journal", fuzz_agent_journal},
                              {"http_connection", fuzz_http_connection},
                              {"ipmitool_output", fuzz_ipmitool_output},
                              {"json_patch", fuzz_json_patch},
                              {"yaml", fuzz_yaml},
                              {"protobuf", fuzz_protobuf},
                              {"render", fuzz_render},
                              {"conversion", fuzz_conversion},
                              {"ip_range", fuzz_ip_range}};

std::vector<std::string> corpusOf(const char* target) {
  const std::filesystem::path folder = std::filesystem::path(INGOT_SOURCE_DIR) / "tests/fuzz/corpus" / target;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().string());
  return files;
}

}  // namespace

TEST_CASE("every folder of the corpus is a fuzz target's", "[fuzz]") {
  std::set<std::string> folders, names;
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_SOURCE_DIR "/tests/fuzz/corpus"))
    folders.insert(entry.path().filename());
  for (const Target& target : targets) names.insert(target.name);
  CHECK(folders == names);
}

TEST_CASE("the corpus of every fuzz target passes", "[fuzz]") {
  for (const Target& target : targets) {
    const auto files = corpusOf(target.name);
    INFO(target.name);
    CHECK_FALSE(files.empty());
    for (const auto& file : files) {
      INFO(file);
      const std::string bytes = base::readFile(file);
      CHECK(target.run(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()) == 0);
    }
  }
}
