// What is beside the cluster: files, and pages of programs that are asked directly.
#include "base/utf8.hpp"
#include "cli/run/bundle/collect.hpp"
#include "kube/core/error.hpp"
#include "net/url.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace ingot::cli::bundle {
namespace {

// The end of a file from the beginning of a line on; nullopt with the reason in `why`.
std::optional<std::string> endOf(const std::string& path, std::size_t most, std::string& why) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0 || std::filesystem::is_directory(path)) {
    why = std::filesystem::is_directory(path) ? "it is a folder" : std::strerror(errno);
    return std::nullopt;
  }
  const bool isCut = static_cast<std::size_t>(size) > most;
  std::string text(isCut ? most : static_cast<std::size_t>(size), '\0');
  file.seekg(size - static_cast<std::streamoff>(text.size()));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (isCut) text.erase(0, text.find('\n') + 1);
  if (text.find('\0') == std::string::npos) return text;
  why = "it is no text, and what is in it cannot be redacted";
  return std::nullopt;
}

}  // namespace

void collectLogFiles(Contents& contents, const std::vector<std::string>& paths, std::size_t bytes) {
  for (const auto& path : paths) {
    std::string why;
    const auto text = endOf(path, bytes / paths.size(), why);
    const std::string name = std::filesystem::path(path).filename().string();
    if (text)
      contents.add(fmt::format("logs/files/{}.txt", pathWord(name)),
                   fmt::format("the end of {}, {} bytes", path, text->size()), *text);
    else
      contents.missing(path, why);
  }
}

base::Task<void> collectPages(Session& session, Contents& contents, std::vector<std::string> urls) {
  for (const auto& url : urls) {
    const auto parsed = net::parseUrl(url);
    if (!parsed) {
      contents.missing(url, "it is no URL");
      continue;
    }
    // Whoever listens there is not the cluster: no credential of it goes there.
    const auto client = kube::connect(session.runtime, session.transport, {.server = parsed->origin()}, forPeople());
    const std::string place = pathWord(fmt::format("{}-{}", parsed->host, parsed->port));
    for (const auto& [path, file] :
         {std::pair("/metrics", "metrics.txt"), std::pair("/readyz?verbose", "readyz.txt")}) {
      const std::string what = fmt::format("{} of {}", path, parsed->origin());
      try {
        contents.add(fmt::format("pages/{}/{}", place, file), what, co_await client->api().text(path));
      } catch (const kube::Error& error) {
        if (error.code() == kube::Error::Code::notFound)
          contents.absent(what);  // many a program has one of the two
        else
          contents.missing(what, error.what());
        if (const auto page = failingPage(error)) contents.add(fmt::format("pages/{}/{}", place, file), what, *page);
      }
    }
  }
}

}  // namespace ingot::cli::bundle
