#include "api/bmh/carried_term.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <charconv>

namespace ingot::api {
namespace {

constexpr std::size_t kInstallation = 8;  // characters of a uid
constexpr std::int64_t kMoreLeaders = 1000;
constexpr std::size_t kSeal = 12;  // bytes of the digest

const std::string kLabel(label::term);

std::string installationOf(std::string_view lease) { return std::string(lease.substr(0, kInstallation)); }

// Where two installations take over from one they do not begin with the same term.
std::int64_t distance(std::string_view installation) {
  std::uint32_t sum = 0;
  for (const unsigned char c : installation) sum = sum * 31 + c;
  return kMoreLeaders + sum % kMoreLeaders;
}

struct Label {
  CarriedTerm carried;
  std::string_view seal;
};

// "TERM.INSTALLATION.SEAL"; nullopt: something else.
std::optional<Label> parse(std::string_view text) {
  const auto first = text.find('.');
  const auto last = text.rfind('.');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  Label out{.carried = {.installation = std::string(text.substr(first + 1, last - first - 1))},
            .seal = text.substr(last + 1)};
  const auto [end, error] = std::from_chars(text.data(), text.data() + first, out.carried.term);
  if (error != std::errc() || end != text.data() + first || out.carried.term < 0) return std::nullopt;
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
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  HMAC(EVP_sha256(), key_.reveal().data(), static_cast<int>(key_.reveal().size()),
       reinterpret_cast<const unsigned char*>(sealed.data()), sealed.size(), digest.data(), &length);
  return fmt::format("{}.{:02x}", what, fmt::join(digest.begin(), digest.begin() + kSeal, ""));
}

std::optional<CarriedTerm> TermSeal::on(const kube::ObjectMeta& host) const {
  const std::string* value = host.label(kLabel);
  const auto seen = value == nullptr ? std::nullopt : parse(*value);
  if (!seen) return std::nullopt;
  const std::string right = label(seen->carried, host.key());
  const bool isSealed = right.size() == value->size() && CRYPTO_memcmp(right.data(), value->data(), right.size()) == 0;
  return isSealed ? std::optional(seen->carried) : std::nullopt;
}

// Another installation's that may tell what ours must get above.
bool Carrying::isLeft(const kube::ObjectMeta& host) const {
  const std::string* value = host.label(kLabel);
  const auto seen = value == nullptr ? std::nullopt : parse(*value);
  if (!seen || seen->carried.installation == with_->ours.installation) return false;
  return !with_->seal.on(host) || later(host);
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
