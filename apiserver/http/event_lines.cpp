#include "apiserver/http/event_lines.hpp"

namespace ingot::apiserver {

EventLines::Form EventLines::form(const std::string& name) {
  return forms_.try_emplace(name, static_cast<Form>(forms_.size())).first->second;
}

EventLines::Line EventLines::line(const Key& key, std::uint64_t definitions,
                                  const std::function<std::string()>& render) {
  if (std::exchange(definitions_, definitions) != definitions) forgetAll();
  if (const auto known = lines_.find(key); known != lines_.end()) return known->second;
  auto line = std::make_shared<const std::string>(render());
  bytes_ += line->size();
  byAge_.push_back(lines_.emplace(key, line).first);
  trim();
  return line;
}

void EventLines::forgetAll() {
  byAge_.clear();
  lines_.clear();
  bytes_ = 0;
}

void EventLines::trim() {
  while (bytes_ > mostBytes_ && !byAge_.empty()) {
    bytes_ -= byAge_.front()->second->size();
    lines_.erase(byAge_.front());
    byAge_.pop_front();
  }
}

}  // namespace ingot::apiserver
