#include "sim/ramdisk/ironic_api.hpp"

#include <fmt/ranges.h>

namespace ingot::sim::ramdisk {

namespace {

net::Headers withVersion(std::string version) {
  return {{"Accept", "application/json"},
          {"Content-Type", "application/json"},
          {"X-OpenStack-Ironic-API-Version", std::move(version)}};
}

std::string trimSlash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

base::Task<std::optional<Lookup>> IronicApi::lookup(std::string apiUrl, std::vector<std::string> macs) {
  try {
    const auto url = fmt::format("{}/v1/lookup?addresses={}", trimSlash(apiUrl), fmt::join(macs, ","));
    const auto response = co_await clients_.send("GET", url, withVersion("1.62"));
    if (response.status != 200) co_return std::nullopt;
    const auto body = json::parse(response.body);
    co_return Lookup{json::textAt(body, {"node", "uuid"}), json::textAt(body, {"config", "agent_token"})};
  } catch (const net::HttpError&) {
    co_return std::nullopt;
  } catch (const json::ParseError&) {
    co_return std::nullopt;
  }
}

base::Task<int> IronicApi::heartbeat(std::string apiUrl, std::string nodeUuid, std::string callbackUrl,
                                     std::string token) {
  const json::Object body{{"callback_url", callbackUrl}, {"agent_token", token}, {"agent_version", "13.0.0"}};
  try {
    const auto url = fmt::format("{}/v1/heartbeat/{}", trimSlash(apiUrl), nodeUuid);
    co_return (co_await clients_.send("POST", url, withVersion("1.68"), json::serialize(body))).status;
  } catch (const net::HttpError&) {
    co_return 0;
  }
}

base::Task<int> IronicApi::continueInspection(std::string callbackUrl, json::Object inventory) {
  const json::Object body{{"error", nullptr}, {"inventory", std::move(inventory)}};
  try {
    const net::Headers plain{{"Accept", "application/json"}, {"Content-Type", "application/json"}};
    co_return (co_await clients_.send("POST", callbackUrl, plain, json::serialize(body))).status;
  } catch (const net::HttpError&) {
    co_return 0;
  }
}

}  // namespace ingot::sim::ramdisk
