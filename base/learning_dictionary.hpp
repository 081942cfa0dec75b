// A dictionary that is learnt from the texts that it packs, and made anew while they change: the first ones of a kind
// are not yet what most will be.
#pragma once

#include "base/dictionary.hpp"

namespace ingot::base {

class LearningDictionary {
 public:
  explicit LearningDictionary(std::shared_ptr<PackingMemory> memory) : memory_(std::move(memory)) {}

  // One more text is about to be packed.
  void count() { ++seen_; }
  [[nodiscard]] bool wantsSamples() const { return seen_ >= learnAt_; }
  // `samples`: texts as they are now, one after the other, the most typical last. None: the dictionary stays.
  void learn(std::string_view samples);
  // nullptr before the first.
  [[nodiscard]] const DictionaryPtr& current() const { return current_; }

 private:
  std::shared_ptr<PackingMemory> memory_;
  std::size_t seen_ = 0, learnAt_ = 16, learnt_ = 0;
  std::shared_ptr<Dictionary> own_;
  DictionaryPtr current_;  // the same
};

}  // namespace ingot::base
