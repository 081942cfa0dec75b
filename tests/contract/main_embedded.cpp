// The embedded API alone, for tests that drive it from outside: embedded-apiserver DATA-DIR LISTEN KUBECONFIG CRD...
// Converts between versions as the coordinator does, and has no admission: as a kube-apiserver without our webhooks.
// Prints its URL once it serves; ends cleanly on SIGTERM.
#include "base/file.hpp"
#include "base/run.hpp"
#include "base/signals.hpp"
#include "coordinator/admission.hpp"

#include <cstdio>

namespace ingot {
namespace {

base::Task<void> serve(base::Runtime runtime, apiserver::EmbeddedOptions options) {
  base::StopSignal stop(runtime.executor);
  const auto api = co_await apiserver::EmbeddedApi::start(runtime, std::move(options));
  std::printf("%s\n", api->url().c_str());
  std::fflush(stdout);
  (void)co_await stop.wait();
  co_await api->stop(std::chrono::seconds(1));
}

apiserver::EmbeddedOptions optionsOf(int argc, char** argv) {
  apiserver::EmbeddedOptions options{.dataDir = argv[1], .listen = argv[2], .kubeconfigOut = argv[3]};
  options.converters = coordinator::kindConverters();
  for (int i = 4; i < argc; ++i) options.crds.push_back(base::readFile(argv[i]));
  return options;
}

}  // namespace
}  // namespace ingot

int main(int argc, char** argv) {
  using namespace ingot;
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s DATA-DIR LISTEN KUBECONFIG CRD...\n", argv[0]);
    return 2;
  }
  boost::asio::io_context io;
  base::SystemClock clock;
  const auto random = base::systemRandom();
  try {
    base::run(io, serve({io.get_executor(), clock, *random, base::Log(base::stderrSink(base::Level::info), "embedded")},
                        optionsOf(argc, argv)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
