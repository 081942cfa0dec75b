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

const std::string kLabel(label::term);

std::string installationOf(std::string_view lease) { return std::string(lease.substr(0, kInstallation)); }

// Where two installations take over from one they do not begin with the same term.
std::int64_t distance(std::string_view installation) {
  std::uint32_t sum = 0;
  for (const unsigned char c : installation) sum = sum * 31 + c;
  return kMoreLeaders + sum % kMoreLeaders;
}

// What a label "TERM.INSTALLATION.SEAL" says, whoever made it; nullopt: there is no such label.
std::optional<CarriedTerm> saidOf(const kube::ObjectMeta& host) {
  const std::string* text = host.label(kLabel);
  if (text == nullptr) return std::nullopt;
  const auto first = text->find('.'), last = text->rfind('.');
  if (first == std::string::npos || first == last) return std::nullopt;
  CarriedTerm said{.installation = text->substr(first + 1, last - first - 1)};
  const auto [end, error] = std::from_chars(text->data(), text->data() + first, said.term);
  if (error != std::errc() || end != text->data() + first || said.term < 0) return std::nullopt;
  return said;
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

std::optional<CarriedTerm> TermSeal::on(const kube::ObjectMeta& host) const {
  auto said = saidOf(host);
  if (!said) return std::nullopt;
  const std::string& carried = *host.label(kLabel);
  const std::string right = label(*said, host.key());
  const bool isSealed =
      right.size() == carried.size() && CRYPTO_memcmp(right.data(), carried.data(), right.size()) == 0;
  return isSealed ? said : std::nullopt;
}

// Another installation's that may tell what ours must get above.
bool Carrying::isLeft(const kube::ObjectMeta& host) const {
  const auto said = saidOf(host);
  if (!said || said->installation == with_->ours.installation) return false;
  return with_->ours.mustYieldTo(*said) || !with_->seal.on(host);
}

bool Carrying::isOn(const kube::ObjectMeta& host) const {
  return !with_ || isLeft(host) || with_->seal.on(host) == with_->ours;
}

void Carrying::put(kube::ObjectMeta& host) const {
  if (!isOn(host)) host.labels[kLabel] = with_->seal.label(with_->ours, host.key());
}

void Carrying::drop(kube::ObjectMeta& host) const {
  if (with_ && !isLeft(host)) host.labels.erase(kLabel);
}

std::optional<CarriedTerm> Carrying::later(const kube::ObjectMeta& host) const {
  if (!with_) return std::nullopt;
  const auto carried = with_->seal.on(host);
  return carried && with_->ours.mustYieldTo(*carried) ? carried : std::nullopt;
}

}  // namespace ingot::api
