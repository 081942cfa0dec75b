// Lines of watches that several watchers want: an event is rendered once for a form and a version, however many follow.
#pragma once

#include "apiserver/registry/watch.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ingot::apiserver {

class EventLines {
 public:
  explicit EventLines(std::size_t mostBytes = 1u << 20) : mostBytes_(mostBytes) {}

  // The number of a form: kind, version, shape. Few exist, so they are never forgotten.
  using Form = std::uint32_t;
  [[nodiscard]] Form form(const std::string& name);

  struct Key {
    Form form = 0;
    Revision revision = 0;
    WatchEvent::Type type = WatchEvent::Type::added;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Line = std::shared_ptr<const std::string>;
  // The line that was made before, else what `render` makes. `definitions` numbers the definitions of kinds: no earlier
  // line is valid under another number.
  [[nodiscard]] Line line(const Key& key, std::uint64_t definitions, const std::function<std::string()>& render);

 private:
  void forgetAll();
  void trim();
  std::size_t mostBytes_, bytes_ = 0;
  std::uint64_t definitions_ = 0;
  std::map<std::string, Form> forms_;
  std::map<Key, Line> lines_;
  std::deque<std::map<Key, Line>::iterator> byAge_;  // oldest first
};

}  // namespace ingot::apiserver
