// A BMC of which only a recording is left: a folder in the layout of DMTF's mockup bundles, an index.json a resource
// (spec/bmc.md §20.2).
#pragma once

#include "net/server.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace ingot::tests {

class Mockup final : public net::HttpHandler {
 public:
  // Of either form: the folder holds redfish/v1/index.json, or is that of the service root itself. Throws
  // std::runtime_error where it is neither.
  explicit Mockup(const std::filesystem::path& folder);

  // Reads alone are answered; nothing has sessions, and any password will do.
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

  [[nodiscard]] std::size_t resources() const { return resources_.size(); }
  [[nodiscard]] bool has(std::string_view path) const;
  // Resources whose @odata.type is of this name ("Drive"), of any version.
  [[nodiscard]] std::size_t countOf(std::string_view type) const;

  int reads = 0;                  // answered
  std::set<std::string> missing;  // paths that were asked for and are not there

 private:
  std::map<std::string, std::string, std::less<>> resources_;  // path → document
};

// Folders below `folder` that are mockups, by name; itself, where it is one.
[[nodiscard]] std::map<std::string, std::filesystem::path> mockupsIn(const std::filesystem::path& folder);

}  // namespace ingot::tests
