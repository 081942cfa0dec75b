#include "coordinator/agents/hardware_news.hpp"

#include "base/cut_text.hpp"

#include <fmt/ranges.h>

#include <ranges>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t mostShown = 6, longestShown = 120;

std::string sentenceOf(const std::vector<std::string>& texts) {
  const auto brief = [](const std::string& text) { return base::oneLine(text, longestShown); };
  auto sentence =
      fmt::format("{}", fmt::join(texts | std::views::take(mostShown) | std::views::transform(brief), "; "));
  if (texts.size() > mostShown)
    sentence += fmt::format("; and {} more: see ingotctl inventory", texts.size() - mostShown);
  return sentence;
}

}  // namespace

void tellChanges(kube::EventRecorder& events, const api::BareMetalHost& host, const bmc::InventoryChanges& changes) {
  if (changes.texts.empty()) return;
  const auto sentence = sentenceOf(changes.texts);
  if (changes.isLess)
    events.warning(kube::referenceTo(host), "HardwareChanged", sentence);
  else
    events.normal(kube::referenceTo(host), "HardwareChanged", sentence);
}

}  // namespace ingot::coordinator::agents
