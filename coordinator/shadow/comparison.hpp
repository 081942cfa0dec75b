// What one new version of an object says of the decisions that stood. Of the book alone.
#pragma once

#include "coordinator/shadow/book.hpp"

namespace ingot::coordinator::shadow {

class Book::Comparison {
 public:
  Comparison(Book& book, const ObjectId& id, Known& known, const json::Value& object);

  void change(const Change& change);
  // `rested`: whether there was time to decide.
  void finish(const std::function<bool()>& rested);

 private:
  [[nodiscard]] std::optional<std::string> managerOf(const Change& change) const;
  void unforeseen(const Change& change);
  void deletion(const Change& change);
  void came(Outcome outcome, const Change& change, const Wish& ours, const std::optional<std::string>& manager);
  [[nodiscard]] Difference& found(Outcome outcome, const std::string& controller, const std::string& manager);

  Book& book_;
  const ObjectId& id_;
  Known& known_;
  const json::Value& object_;
  std::set<std::string, std::less<>> wanted_;  // parts of which something was decided lately
  std::set<std::string> others_;
  std::size_t looked_ = 0, leftOut_ = 0;  // of what nobody decided
  std::map<std::pair<std::string, Outcome>, Difference> found_;
};

}  // namespace ingot::coordinator::shadow
