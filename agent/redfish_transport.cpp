#include "agent/redfish_transport.hpp"

#include "net/kept_connections.hpp"

#ifdef INGOT_LIBREDFISH
#include "bmc/libredfish/transport.hpp"
#endif

namespace ingot::agent {

namespace {

#ifdef INGOT_LIBREDFISH
constexpr bool hasLibredfish = true;

std::unique_ptr<net::HttpTransport> overLibredfish(const base::Runtime& runtime) {
  runtime.log.warn(
      "BMCs are spoken to through libredfish: it verifies no certificate and follows redirects, with the "
      "credentials, wherever they lead",
      {{"flag", "--redfish-transport"}});
  return bmc::libredfish::transport(runtime);
}
#else
constexpr bool hasLibredfish = false;

std::unique_ptr<net::HttpTransport> overLibredfish(const base::Runtime&) {
  throw base::Error("this ingot-agent was built without libredfish");
}
#endif

}  // namespace

bool isBuiltIn(RedfishTransport choice) {
  switch (choice) {
    case RedfishTransport::curl: return true;
    case RedfishTransport::libredfish: return hasLibredfish;
  }
  return false;
}

std::unique_ptr<net::HttpTransport> redfishTransport(base::Runtime runtime, RedfishTransport choice,
                                                     std::size_t keptConnections) {
  switch (choice) {
    case RedfishTransport::curl: return net::curlTransport(std::move(runtime), keptConnections);
    case RedfishTransport::libredfish: return overLibredfish(runtime);
  }
  return nullptr;
}

}  // namespace ingot::agent
