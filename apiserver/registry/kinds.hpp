// The kinds that are defined right now.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/options.hpp"
#include "apiserver/registry/resource_info.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

using RulesPtr = std::shared_ptr<const KindRules>;

// One definition. Operations hold on to the one they began with; a replaced or removed one is `retired`.
struct Kind {
  ResourceInfo info;
  std::vector<RulesPtr> rules;
  std::string stored;        // GroupResource::text() of where its objects live
  bool retired = false;      // its watches end
  bool terminating = false;  // its definition is being deleted: nothing is created any more

  // In the order of the rules.
  void prepare(json::Value& object, const WriteContext& context, Warnings& warnings) const;
  void mutate(json::Value& object, const json::Value* old, const WriteContext& context, Warnings& warnings) const;
  [[nodiscard]] std::vector<StatusCause> validate(const json::Value& object, const json::Value* old,
                                                  const WriteContext& context, Warnings& warnings) const;
  void admit(const json::Value& object, const json::Value* old, const WriteContext& context, Warnings& warnings) const;
  void admitDelete(const json::Value& object, const WriteContext& context, Warnings& warnings) const;

  // Whether the object is in the present storage version, by its apiVersion. An object that was written, or decided on,
  // under an older definition may not be.
  [[nodiscard]] bool isCurrent(const json::Value& document) const;
  [[nodiscard]] bool isCurrentText(std::string_view body) const;  // the same of its text
  // Makes of its document what would be stored now. Throws ApiError when it cannot be converted.
  void upgrade(json::Value& document) const;

  [[nodiscard]] bool storesAsIs(std::string_view version) const;
  [[nodiscard]] bool converts(const std::string& version) const;
  void toStorage(json::Value& object, const std::string& version) const;
  void fromStorage(json::Value& object, const std::string& version) const;
};
using KindPtr = std::shared_ptr<Kind>;

class Kinds {
 public:
  // Returns the definition that it replaced, retired, or null.
  KindPtr define(ResourceInfo info, std::vector<RulesPtr> rules);
  KindPtr undefine(const GroupResource& id);

  [[nodiscard]] KindPtr find(const GroupResource& id) const;
  [[nodiscard]] KindPtr findKind(std::string_view group, std::string_view kind) const;
  // The kind whose objects live in `stored` itself (not an alias).
  [[nodiscard]] KindPtr findStored(const std::string& stored) const;
  [[nodiscard]] std::vector<KindPtr> all() const;
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

  // Throws ApiError: 404 for an unknown resource or version, 405 for a verb that it does not offer.
  [[nodiscard]] KindPtr require(const Target& target, std::string_view verb) const;

 private:
  std::map<GroupResource, KindPtr> kinds_;
  std::uint64_t changes_ = 0;
};

}  // namespace ingot::apiserver
