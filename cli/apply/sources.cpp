// readSources: the part of manifests that touches the disk.
#include "base/file.hpp"
#include "cli/apply/manifest.hpp"
#include "cli/outcome.hpp"

#include <filesystem>

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;

bool looksLikeManifest(const fs::path& path) {
  const auto extension = path.extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

template <class Walk>
std::vector<std::string> manifestsIn(Walk walk) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : walk)
    if (entry.is_regular_file() && looksLikeManifest(entry.path())) found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> filesOf(const std::string& path, bool recursive) {
  if (!fs::exists(path)) throw Failure(ExitCode::notFound, path + ": there is no such file or folder");
  if (!fs::is_directory(path)) return {path};
  auto found =
      recursive ? manifestsIn(fs::recursive_directory_iterator(path)) : manifestsIn(fs::directory_iterator(path));
  if (found.empty())
    throw Failure(ExitCode::notFound,
                  path + ": holds no .yaml, .yml or .json file" + (recursive ? "" : "; use -R to look below it"));
  return found;
}

}  // namespace

std::vector<Source> readSources(const std::vector<std::string>& paths, bool recursive,
                                const std::string& standardInput) {
  std::vector<Source> out;
  for (const std::string& path : paths) {
    if (path == "-") {
      out.push_back({"standard input", standardInput});
      continue;
    }
    try {
      for (const std::string& file : filesOf(path, recursive)) out.push_back({file, base::readFile(file)});
    } catch (const fs::filesystem_error& e) {
      throw Failure(ExitCode::failed, path + ": " + e.code().message());
    }
  }
  return out;
}

}  // namespace ingot::cli
