#include "api/bmh/carried_term.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace ingot::api {
namespace {

constexpr std::size_t kInstallation = 8;
constexpr std::int64_t kMoreLeaders = 1000;
constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max() - 2 * kMoreLeaders;  // of a Lease's 32 bits

std::string installationOf(std::string_view lease) { return std::string(lease.substr(0, kInstallation)); }

std::string text(const CarriedTerm& carried) {
  return carried.installation.empty() ? std::to_string(carried.term)
                                      : fmt::format("{}.{}", carried.term, carried.installation);
}

}  // namespace

CarriedTerm CarriedTerm::of(std::int64_t term, std::string_view lease) { return {term, installationOf(lease)}; }

std::optional<CarriedTerm> CarriedTerm::on(const kube::ObjectMeta& host) {
  const std::string* value = host.label(std::string(label::term));
  if (value == nullptr) return std::nullopt;
  const std::string_view all = *value;
  const auto dot = std::min(all.find('.'), all.size());
  std::int64_t term = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + dot, term);
  if (error != std::errc() || end != all.data() + dot || term < 0 || term > kHighest) return std::nullopt;
  return CarriedTerm{term, std::string(all.substr(std::min(dot + 1, all.size())))};
}

bool CarriedTerm::mustYieldTo(const CarriedTerm& other) const {
  return other.installation == installation ? other.term > term : other.least(installation) > term;
}

std::int64_t CarriedTerm::least(std::string_view lease) const {
  return installation == installationOf(lease) ? term + 1 : term + kMoreLeaders;
}

bool carriesTerm(const kube::ObjectMeta& host, const Carrying& ours) {
  if (!ours) return true;
  const auto carried = CarriedTerm::on(host);
  return carried && (*carried == *ours || ours->mustYieldTo(*carried));
}

void carryTerm(kube::ObjectMeta& host, const Carrying& ours) {
  if (!carriesTerm(host, ours)) host.labels[std::string(label::term)] = text(*ours);
}

void dropTerm(kube::ObjectMeta& host, const Carrying& ours) {
  if (!ours) return;
  const auto carried = CarriedTerm::on(host);
  if (!carried || !ours->mustYieldTo(*carried)) host.labels.erase(std::string(label::term));
}

}  // namespace ingot::api
