#include "base/learning_dictionary.hpp"

#include <limits>

namespace ingot::base {
namespace {

// Learnt anew after so many times more texts. Few, since a dictionary stays as long as anything that it packed.
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
