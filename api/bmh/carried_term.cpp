#include "api/bmh/carried_term.hpp"

#include "base/hmac.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <charconv>

namespace ingot::api {
namespace {

constexpr std::size_t kInstallation = 8;  // characters of a uid
constexpr std::int64_t kMoreLeaders = 1000;
constexpr std::size_t kSeal = 24;  // digits of the digest

const std::string kLabel(label::term), kEarlier(label::earlierTerm);

std::string installationOf(std::string_view lease) { return std::string(lease.substr(0, kInstallation)); }

// Where two installations take over from one they do not begin with the same term.
std::int64_t distance(std::string_view installation) {
  std::uint32_t sum = 0;
  for (const unsigned char c : installation) sum = sum * 31 + c;
  return kMoreLeaders + sum % kMoreLeaders;
}

// What a label "TERM.INSTALLATION.SEAL" says, whoever made it; nullopt: it is none.
std::optional<CarriedTerm> saidIn(const std::string& text) {
  const auto first = text.find('.'), last = text.rfind('.');
  if (first == std::string::npos || first == last) return std::nullopt;
  CarriedTerm said{.installation = text.substr(first + 1, last - first - 1)};
  const auto [end, error] = std::from_chars(text.data(), text.data() + first, said.term);
  if (error != std::errc() || end != text.data() + first || said.term < 0) return std::nullopt;
  return said;
}

struct Said {
  CarriedTerm carried;
  std::string text;
};

// The earlier one first.
std::vector<Said> saidOn(const kube::ObjectMeta& host) {
  std::vector<Said> out;
  for (const std::string& name : {kEarlier, kLabel})
    if (const std::string* text = host.label(name))
      if (auto said = saidIn(*text)) out.push_back({std::move(*said), *text});
  return out;
}

}  // namespace

CarriedTerm CarriedTerm::of(std::int64_t term, std::string_view lease) { return {term, installationOf(lease)}; }

bool CarriedTerm::mustYieldTo(const CarriedTerm& other) const {
  return other.installation == installation ? other.term > term : other.least(installation) > term;
}

std::int64_t CarriedTerm::least(std::string_view lease) const {
  const auto theirs = installationOf(lease);
  return installation == theirs ? term + 1 : term + distance(theirs);
}

std::string TermSeal::label(const CarriedTerm& carried, const kube::ObjectKey& host) const {
  const std::string what = fmt::format("{}.{}", carried.term, carried.installation);
  const std::string sealed = fmt::format("term of a moved host\n{}\n{}", what, host.text());
  return fmt::format("{}.{:.{}}", what, base::hmacSha256(key_, sealed), kSeal);
}

std::vector<CarriedTerm> TermSeal::on(const kube::ObjectMeta& host) const {
  std::vector<CarriedTerm> out;
  for (auto& said : saidOn(host))
    if (isOn(said.text, said.carried, host.key())) out.push_back(std::move(said.carried));
  return out;
}

bool TermSeal::isOn(const std::string& label, const CarriedTerm& carried, const kube::ObjectKey& host) const {
  const std::string right = this->label(carried, host);
  return right.size() == label.size() && CRYPTO_memcmp(right.data(), label.data(), right.size()) == 0;
}

Carrying::Labels Carrying::labelsOn(const kube::ObjectMeta& host, bool withOurs) const {
  Labels labels = host.labels;
  if (!with_) return labels;
  std::vector<std::string> values;  // the last one last
  bool isYielding = false;
  for (const auto& said : saidOn(host)) {
    if (said.carried.installation == with_->ours.installation) continue;
    const bool isOpened = with_->seal.isOn(said.text, said.carried, host.key());
    if (isOpened && !with_->ours.mustYieldTo(said.carried)) continue;
    isYielding = isYielding || isOpened;
    values.push_back(said.text);
  }
  if (!isYielding) {
    if (values.size() > 1) values.erase(values.begin());
    if (withOurs) values.push_back(with_->seal.label(with_->ours, host.key()));
  }
  labels.erase(kLabel);
  labels.erase(kEarlier);
  if (!values.empty()) labels[kLabel] = values.back();
  if (values.size() > 1) labels[kEarlier] = values.front();
  return labels;
}

bool Carrying::isOn(const kube::ObjectMeta& host) const {
  if (isElsewhere_ && isElsewhere_()) return false;
  return labelsOn(host, true) == host.labels;
}

void Carrying::put(kube::ObjectMeta& host) const { host.labels = labelsOn(host, true); }

void Carrying::drop(kube::ObjectMeta& host) const { host.labels = labelsOn(host, false); }

std::optional<CarriedTerm> Carrying::later(const kube::ObjectMeta& host) const {
  if (!with_) return std::nullopt;
  std::optional<CarriedTerm> latest;
  for (auto& carried : with_->seal.on(host))
    if (with_->ours.mustYieldTo(carried) && (!latest || latest->term < carried.term)) latest = std::move(carried);
  return latest;
}

}  // namespace ingot::api
