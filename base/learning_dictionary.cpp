#include "base/learning_dictionary.hpp"

#include <limits>

namespace ingot::base {
namespace {

// The dictionary is learnt anew when the number of texts has grown by this factor, and only a few times, since a
// dictionary stays in memory as long as any text packed with it.
constexpr std::size_t growth = 4, dictionaries = 8;

}  // namespace

void LearningDictionary::learn(std::string_view samples) {
  learnAt_ = ++learnt_ < dictionaries ? learnAt_ * growth : std::numeric_limits<std::size_t>::max();
  if (samples.empty()) return;
  auto next = std::make_shared<Dictionary>(memory_, samples);
  if (own_) own_->retire();
  own_ = std::move(next);
  current_ = own_;
}

}  // namespace ingot::base
