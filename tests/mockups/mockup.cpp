#include "tests/mockups/mockup.hpp"

#include "base/file.hpp"

#include <algorithm>
#include <stdexcept>

namespace ingot::tests {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view serviceRoot = "/redfish/v1";
constexpr auto document = "index.json";

bool isLong(const fs::path& folder) { return fs::exists(folder / "redfish" / "v1" / document); }

// Any folder of a recording holds an index.json: the root names its systems.
bool isShort(const fs::path& folder) { return fs::exists(folder / document) && fs::exists(folder / "Systems"); }

std::string bare(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

}  // namespace

Mockup::Mockup(const fs::path& folder) {
  const fs::path root = isLong(folder) ? folder / "redfish" / "v1" : folder;
  if (root == folder && !isShort(folder))
    throw std::runtime_error(folder.string() +
                             " is no mockup: it holds neither redfish/v1/index.json nor a service root");
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().filename() != document) continue;
    const auto below = fs::relative(entry.path().parent_path(), root).generic_string();
    resources_[below == "." ? std::string(serviceRoot) : std::string(serviceRoot) + "/" + below] =
        base::readFile(entry.path());
  }
}

bool Mockup::has(std::string_view path) const { return resources_.contains(bare(path)); }

std::size_t Mockup::countOf(std::string_view type) const {
  const auto mark = "#" + std::string(type) + ".";
  return static_cast<std::size_t>(std::ranges::count_if(
      resources_, [&](const auto& resource) { return resource.second.find(mark) != std::string::npos; }));
}

base::Task<void> Mockup::handle(net::ServerRequest request, net::Responder& out) {
  const auto path = bare(request.path());
  const auto found = resources_.find(path);
  net::HttpResponse answer{.status = 404, .headers = {{"Content-Type", "application/json"}}};
  if (request.method != "GET")
    answer.status = 405;
  else if (found == resources_.end())
    missing.insert(path);
  else
    answer.status = 200, answer.body = found->second, ++reads;
  co_await out.send(std::move(answer));
}

std::map<std::string, fs::path> mockupsIn(const fs::path& folder) {
  if (isLong(folder) || isShort(folder)) return {{folder.filename().string(), folder}};
  std::map<std::string, fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory() && (isLong(entry.path()) || isShort(entry.path())))
      found[entry.path().filename().string()] = entry.path();
  return found;
}

}  // namespace ingot::tests
