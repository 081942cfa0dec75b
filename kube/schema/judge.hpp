// Judges an object by its schema, as an API server does (spec/kubernetes-api.md §8). What is said of a breach, and to
// whom, is up to the caller.
#pragma once

#include "kube/schema/schema.hpp"

namespace ingot::kube {

struct Breach {
  enum class What : std::uint8_t {
    wrongType,
    wrongFormat,  // a text that is no date-time, uri …
    outOfFormat,  // an integer that does not fit into int32
    tooShort,     // characters
    tooLong,
    noMatch,  // of the pattern
    tooSmall,
    tooLarge,
    tooFewItems,
    tooManyItems,
    tooFewMembers,
    tooManyMembers,
    notAllowed,  // by enum
    missing,     // a required member; `value` is the object that lacks it
    repeated,    // an item of a set, or the keys of an item of a map list, for the second time
    noKeys,      // an item of a map list that is no object; `schema` is that of the list
    rule,        // a CEL rule does not hold
  };

  What what;
  std::string field;     // "spec.list[0].key"; "" for the judged value itself
  const Schema* schema;  // of the node; of a repeated item: of its list; of a missing member: of the object
  const json::Value* value;
  json::Value key = {};          // of a repeated item
  const Rule* broken = nullptr;  // the CEL rule
};

// CEL rules are not asked about an object with such a breach.
[[nodiscard]] bool hidesRules(Breach::What what);

// The first hundred breaches, in their order, and how many more there are: all of them could take far more memory than
// the object itself, as each spells out its field.
class Breaches {
 public:
  // Called for a breach that is kept: `make` says all about it.
  template <class Make>
  void add(Breach::What what, Make make) {
    hideRules_ = hideRules_ || hidesRules(what);
    if (first_.size() >= most || fieldBytes_ >= mostFieldBytes) {
      ++more_;
      return;
    }
    first_.push_back(make());
    fieldBytes_ += first_.back().field.size();
  }

  [[nodiscard]] auto begin() const { return first_.begin(); }
  [[nodiscard]] auto end() const { return first_.end(); }
  [[nodiscard]] std::size_t size() const { return first_.size(); }
  [[nodiscard]] std::size_t more() const { return more_; }  // that are not among them
  // Of any of them, also of one that is not kept.
  [[nodiscard]] bool hideRules() const { return hideRules_; }

 private:
  static constexpr std::size_t most = 100, mostFieldBytes = 64u << 10;
  std::vector<Breach> first_;
  std::size_t more_ = 0, fieldBytes_ = 0;
  bool hideRules_ = false;
};

// Breaches refer into the schema and the object. `old` (nullptr on create): a node that equals its old self is not
// judged again (§8.3).
void judgeValues(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into);
// Items of sets and keys of map lists that repeat.
void judgeLists(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into);
// The schema's CEL rules. They are not asked about an object with breaches that hideRules().
void judgeRules(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into);

// A whole new object: all of the above.
[[nodiscard]] Breaches judge(const Schema& schema, const json::Value& object);

}  // namespace ingot::kube
