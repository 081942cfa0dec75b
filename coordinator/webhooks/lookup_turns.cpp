#include "coordinator/webhooks/lookup_turns.hpp"

#include <algorithm>

namespace ingot::coordinator::webhooks {
namespace {

// Whether who has `own` of all `taken` may have one more.
bool mayHaveOneMore(std::size_t own, std::size_t taken, std::size_t most) {
  const std::size_t left = most - (taken - own);  // by the others
  return taken < most && own < std::max<std::size_t>(1, left / 2);
}

}  // namespace

bool LookupTurns::hasRoomFor(const std::string& namespace_) const {
  const auto line = lines_.find(namespace_);
  return mayHaveOneMore(line == lines_.end() ? 0 : line->second.reviews, reviews_, limits_.reviews);
}

LookupTurns::Review::Review(LookupTurns& turns, const std::string& namespace_)
    : turns_(turns), line_(turns.lines_.try_emplace(namespace_).first) {
  ++line_->second.reviews;
  ++turns_.reviews_;
}

LookupTurns::Review::~Review() {
  --turns_.reviews_;
  if (--line_->second.reviews == 0) turns_.lines_.erase(line_);
}

LookupTurns::Turn::Turn(Review& review) : turns_(review.turns_), line_(review.line_->second) {
  if (line_.waiting.empty()) turns_.waiting_.push_back(&line_);
  line_.waiting.push_back(this);
  turns_.grant();
}

LookupTurns::Turn::~Turn() {
  if (hasCome_) {
    --line_.turns;
    --turns_.turns_;
    turns_.grant();
  } else {
    line_.waiting.remove(this);
    if (line_.waiting.empty()) turns_.waiting_.remove(&line_);
  }
}

base::Task<void> LookupTurns::Turn::come() {
  while (!hasCome_) co_await turns_.changed_.wait();
}

void LookupTurns::grant() {
  const auto find = [this] {
    return std::ranges::find_if(
        waiting_, [this](const Line* line) { return mayHaveOneMore(line->turns, turns_, limits_.turns); });
  };
  for (auto next = find(); next != waiting_.end(); next = find()) {
    Line& line = **next;
    waiting_.erase(next);
    line.waiting.front()->hasCome_ = true;
    line.waiting.pop_front();
    ++line.turns;
    ++turns_;
    if (!line.waiting.empty()) waiting_.push_back(&line);
  }
  changed_.notifyAll();
}

}  // namespace ingot::coordinator::webhooks
