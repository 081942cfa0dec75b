#include "apiserver/http/server_version.hpp"

#include "json/value.hpp"

namespace ingot::apiserver {

std::string versionDocument() {
  return json::serialize(json::Object{{"major", "1"},
                                      {"minor", "36"},
                                      {"emulationMajor", "1"},
                                      {"emulationMinor", "36"},
                                      {"minCompatibilityMajor", "1"},
                                      {"minCompatibilityMinor", "35"},
                                      {"gitVersion", "v1.36.3+ingot"},
                                      {"gitCommit", ""},
                                      {"gitTreeState", ""},
                                      {"buildDate", "1970-01-01T00:00:00Z"},
                                      {"goVersion", "none"},
                                      {"compiler", "clang"},
                                      {"platform", "linux/amd64"}});
}

std::string healthText(std::string_view check, const Query& query, bool storageWorks) {
  if (!storageWorks) return fmt::format("[+]ping ok\n[-]storage failed: reason withheld\n{} check failed\n", check);
  if (!query.has("verbose")) return "ok";
  return fmt::format("[+]ping ok\n[+]storage ok\n{} check passed\n", check);
}

}  // namespace ingot::apiserver
