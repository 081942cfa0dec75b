#include "cli/render/pool_argument.hpp"

#include <charconv>

namespace ingot::cli {

namespace {

std::vector<std::string_view> splitAtCommas(std::string_view text) {
  std::vector<std::string_view> out;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    out.push_back(text.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return out;
}

void readAddress(std::string_view text, cloudinit::PoolAddress& into) {
  const auto slash = text.find('/');
  into.address = text.substr(0, slash);
  if (into.address.empty()) throw base::Error("no address behind the name");
  if (slash == std::string_view::npos) return;
  const std::string_view prefix = text.substr(slash + 1);
  int number = 0;
  const auto [end, problem] = std::from_chars(prefix.data(), prefix.data() + prefix.size(), number);
  if (problem != std::errc{} || end != prefix.data() + prefix.size())
    throw base::Error("\"" + std::string(prefix) + "\" is no prefix");
  into.prefix = number;
}

void readDetail(std::string_view text, cloudinit::PoolAddress& into) {
  constexpr std::string_view kGateway = "gateway=", kDns = "dns=";
  if (text.starts_with(kGateway))
    into.gateway = text.substr(kGateway.size());
  else if (text.starts_with(kDns))
    into.dnsServers.emplace_back(text.substr(kDns.size()));
  else
    throw base::Error("\"" + std::string(text) + "\" is neither gateway=ADDRESS nor dns=ADDRESS");
}

void readPool(std::string_view argument, cloudinit::PoolAddresses& into) {
  const auto equals = argument.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw base::Error("write it NAME=ADDRESS/PREFIX,gateway=ADDRESS");
  cloudinit::PoolAddress& pool = into[std::string(argument.substr(0, equals))];
  const auto parts = splitAtCommas(argument.substr(equals + 1));
  readAddress(parts.front(), pool);
  for (const std::string_view detail : std::span(parts).subspan(1)) readDetail(detail, pool);
}

}  // namespace

cloudinit::PoolAddresses parsePools(const std::vector<std::string>& arguments) {
  cloudinit::PoolAddresses out;
  for (const std::string& argument : arguments) {
    try {
      readPool(argument, out);
    } catch (const base::Error& bad) {
      throw base::InvalidInput("--pool " + argument, bad.what());
    }
  }
  return out;
}

}  // namespace ingot::cli
