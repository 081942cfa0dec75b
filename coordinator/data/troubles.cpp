#include "coordinator/data/troubles.hpp"

namespace ingot::coordinator::data {
namespace {

constexpr base::Duration kPatience = std::chrono::seconds(15);
constexpr std::size_t kLongest = 512;

bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string cutForStatus(std::string text) {
  if (text.size() <= kLongest) return text;
  constexpr std::string_view dots = "...";
  std::size_t length = kLongest - dots.size();
  while (length > 0 && continuesCharacter(text[length])) --length;
  text.resize(length);
  text += dots;
  return text;
}

Patience::Look Patience::note(const kube::ObjectKey& key, const std::string& reason, base::MonoTime now) {
  auto& [known, since] = since_.try_emplace(key, reason, now).first->second;
  const bool isAnother = known != reason;
  if (isAnother) {
    known = reason;
    since = now;
  }
  const base::Duration passed = now - since;
  return {passed < kPatience ? kPatience - passed : base::Duration{}, isAnother};
}

}  // namespace ingot::coordinator::data
