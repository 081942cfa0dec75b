#include "coordinator/agents/routing.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace ingot::coordinator::agents {

namespace {

struct Ip {
  std::array<unsigned char, 16> bytes{};
  int bits = 0;  // 32 or 128
};

std::optional<Ip> parseIp(const std::string& text) {
  Ip ip;
  if (inet_pton(AF_INET, text.c_str(), ip.bytes.data()) == 1) {
    ip.bits = 32;
    return ip;
  }
  if (inet_pton(AF_INET6, text.c_str(), ip.bytes.data()) == 1) {
    ip.bits = 128;
    return ip;
  }
  return std::nullopt;
}

bool samePrefix(const Ip& a, const Ip& b, int length) {
  for (int bit = 0; bit < length; ++bit) {
    const auto byte = static_cast<std::size_t>(bit / 8);
    const int mask = 0x80 >> (bit % 8);
    if ((a.bytes[byte] & mask) != (b.bytes[byte] & mask)) return false;
  }
  return true;
}

// FNV-1a with a final mix: stable over versions and machines, which std::hash is not.
std::uint64_t weight(const std::string& host, const std::string& agent) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const unsigned char c : fmt::format("{}/{}", host, agent)) hash = (hash ^ c) * 1099511628211ULL;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 33);
}

int networkRank(const AgentCandidate& agent, const std::string& address) {
  int longest = -1;
  for (const auto& network : agent.networks) longest = std::max(longest, matchLength(network, address).value_or(-1));
  return longest;
}

bool labelsMatch(const AgentCandidate& agent, const std::map<std::string, std::string>& labels) {
  return !agent.hostLabels.empty() && std::ranges::all_of(agent.hostLabels, [&](const auto& wanted) {
    const auto found = labels.find(wanted.first);
    return found != labels.end() && found->second == wanted.second;
  });
}

// Networks beat labels, labels beat "all hosts"; -1: not for this host.
int rank(const AgentCandidate& agent, const HostRoute& host) {
  if (const int network = networkRank(agent, host.bmcHost); network >= 0) return 2 + network;
  if (labelsMatch(agent, host.labels)) return 1;
  return agent.allHosts ? 0 : -1;
}

}  // namespace

std::optional<int> matchLength(const std::string& cidr, const std::string& address) {
  const auto slash = cidr.find('/');
  const auto network = parseIp(cidr.substr(0, slash));
  const auto ip = parseIp(address);
  if (!network || !ip || network->bits != ip->bits) return std::nullopt;
  int length = network->bits;
  if (slash != std::string::npos) {
    const auto* end = cidr.data() + cidr.size();
    const auto [rest, ec] = std::from_chars(cidr.data() + slash + 1, end, length);
    if (ec != std::errc() || rest != end || length < 0 || length > network->bits) return std::nullopt;
  }
  return samePrefix(*network, *ip, length) ? std::optional(length) : std::nullopt;
}

bool mayServe(const AgentCandidate& agent, const HostRoute& host) {
  return rank(agent, host) >= 0 && (host.wantedAgent.empty() || agent.name == host.wantedAgent);
}

std::optional<std::string> route(const HostRoute& host, const std::vector<AgentCandidate>& candidates) {
  const AgentCandidate* best = nullptr;
  std::tuple<int, bool, std::uint64_t> bestScore{};
  for (const auto& agent : candidates) {
    if (!mayServe(agent, host)) continue;
    const std::tuple score{rank(agent, host), !agent.isLeaving, weight(host.uid, agent.name)};
    if (best != nullptr && score <= bestScore) continue;
    best = &agent;
    bestScore = score;
  }
  return best == nullptr ? std::nullopt : std::optional(best->name);
}

}  // namespace ingot::coordinator::agents
