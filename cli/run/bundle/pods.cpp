#include "cli/run/bundle/collect.hpp"
#include "net/url.hpp"

namespace ingot::cli::bundle {
namespace {

constexpr std::size_t kBytesOfLine = 200;  // of a log of ours, about
constexpr int kTries = 5;

std::string pathOf(const CoordinatorPod& pod) {
  return fmt::format("/api/v1/namespaces/{}/pods/{}", net::percentEncode(pod.namespace_), net::percentEncode(pod.name));
}

std::string logPath(const CoordinatorPod& pod, const std::string& container, bool previous, std::size_t lines,
                    std::size_t bytes) {
  return fmt::format("{}/log?container={}&timestamps=true&tailLines={}&limitBytes={}{}", pathOf(pod),
                     net::percentEncode(container), lines, bytes, previous ? "&previous=true" : "");
}

// The end of it, `most` bytes at most. limitBytes cuts the newest lines off, so fewer lines are asked for until it does
// not.
base::Task<void> collectLog(ApiSource& source, const CoordinatorPod& pod, const std::string& container, bool previous,
                            std::size_t most) {
  const std::string what = fmt::format("{} log of pod {}/{} container {}", previous ? "previous" : "current",
                                       pod.namespace_, pod.name, container);
  std::size_t lines = std::max<std::size_t>(most / kBytesOfLine, 1);
  for (int tried = 0; tried < kTries; ++tried, lines = std::max<std::size_t>(lines / 4, 1)) {
    const auto log = co_await source.relayed(what, logPath(pod, container, previous, lines, most),
                                             previous ? ApiSource::Expected::perhaps : ApiSource::Expected::surely);
    if (!log) co_return;
    if (log->size() >= most && tried + 1 < kTries) continue;
    source.contents().add(
        fmt::format("logs/{}/{}{}.log", pathWord(pod.name), pathWord(container), previous ? "-previous" : ""),
        what + fmt::format(", its last {} lines at most", lines), *log);
    co_return;
  }
}

// Of each container that listens there; the API server asks the pod in our place.
base::Task<void> collectEndpoint(ApiSource& source, const CoordinatorPod& pod, std::string_view port,
                                 std::string_view path, const std::string& file) {
  const bool isTls = port == "metrics";
  const std::string target =
      fmt::format("/api/v1/namespaces/{}/pods/{}{}:{}/proxy{}", net::percentEncode(pod.namespace_),
                  isTls ? "https:" : "", net::percentEncode(pod.name), isTls ? 8443 : 9440, path);
  const std::string what = fmt::format("{} of pod {}/{}", path, pod.namespace_, pod.name);
  if (const auto page = co_await source.relayed(what, target, ApiSource::Expected::evenFailing))
    source.contents().add(fmt::format("pods/{}/{}", pathWord(pod.name), file), what, *page);
}

}  // namespace

base::Task<void> collectPods(ApiSource& source, std::vector<CoordinatorPod> pods, std::size_t bytes) {
  std::size_t logs = 0;
  for (const auto& pod : pods) logs += 2 * pod.containers.size();
  for (const auto& pod : pods) {
    for (const auto& container : pod.containers)
      for (const bool previous : {false, true}) co_await collectLog(source, pod, container, previous, bytes / logs);
    co_await collectEndpoint(source, pod, "health", "/readyz?verbose", "readyz.txt");
    co_await collectEndpoint(source, pod, "metrics", "/metrics", "metrics.txt");
  }
}

}  // namespace ingot::cli::bundle
