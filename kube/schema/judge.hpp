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

// Breaches refer into the schema and the object. `old` (nullptr on create): a node that equals its old self is not
// judged again (§8.3).
using Breaches = std::vector<Breach>;
void judgeValues(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into);
// Items of sets and keys of map lists that repeat.
void judgeLists(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into);
// The schema's CEL rules. They are not asked about an object with a breach that hidesRules().
void judgeRules(const Schema& schema, const json::Value& object, const json::Value* old, Breaches& into);
[[nodiscard]] bool hidesRules(const Breach& breach);

// A whole new object: all of the above.
[[nodiscard]] Breaches judge(const Schema& schema, const json::Value& object);

}  // namespace ingot::kube
