// One line of a conversion table: where a member is in either version, and how its form differs.
#pragma once

#include "json/value.hpp"

#include <functional>
#include <span>

namespace ingot::api::conversion {

// How the forms differ. "Up" is from v1beta1 to v1beta2.
enum class Form {
  same,
  opposite,           // up: dropped; down: the opposite of the member that stays
  onlyTrue,           // up: false is said by absence
  absentWhenEmpty,    // up: an empty object is said by absence
  nameAndNamespace,   // up: of a reference only these survive; neither is said by absence
  contractReference,  // up: apiVersion becomes apiGroup; down: the version is that of the contract
  templateReference,  // up: of a reference only apiVersion, kind and name survive
  nodeReference,      // up: of a reference to a Node only the name survives
  namedObjects,       // a map of objects; a list of them with `name`, sorted
  namedValues,        // a map of anything; a list of name and value, sorted by name
  namedIndexes,       // a map of numbers; a list of name and index, sorted by index
  seconds,            // a duration in text; whole seconds
  machinePhase,       // down: a Machine that is Updating is Running
};

struct Move {
  std::string_view scope{};           // of the object that holds both, below the root of the table: "a.b[].*[]"
  std::string_view v1beta1, v1beta2;  // members below the scope: "ready", "initialization.provisioned"
  Form form = Form::same;
  std::string_view upDefault{}, downDefault{};  // JSON to write when there is nothing to move
};

// The two forms of a member, one made from the other. nullopt: it is said by absence. Both throw ConversionError for
// what the other version cannot say; `root` is the path of the table's root, for the text.
[[nodiscard]] std::optional<json::Value> formUp(const Move& move, std::string_view root, json::Value value);
[[nodiscard]] std::optional<json::Value> formDown(const Move& move, json::Value value);

// Applies the lines in order to the object in the form of v1beta1. `path`: of the root in its document.
void moveUp(json::Value& root, std::string_view path, std::span<const Move> moves);
// Applies the lines backwards to the object in the form of v1beta2.
void moveDown(json::Value& root, std::span<const Move> moves);

// Writes the member at a dotted path, making the objects on the way.
void putMember(json::Object& into, std::string_view path, json::Value value);

// Calls `visit` for the objects at `path`: members by name, "*" for all of them, "[]" behind for the items of a list.
void visitObjects(json::Value& root, std::string_view path, const std::function<void(json::Object&)>& visit);

}  // namespace ingot::api::conversion
