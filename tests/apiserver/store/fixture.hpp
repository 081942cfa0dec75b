// What the store's tests share: objects in the making, a folder that vanishes, writes as plain calls.
#pragma once

#include "apiserver/store/store.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace ingot::apiserver::tests {

using ingot::tests::TemporaryFolder;

inline Store::Build building(const ObjectKey& key, const std::string& content) {
  return [=](Revision revision) {
    json::Value document = {{"apiVersion", "v1"},
                            {"kind", "Thing"},
                            {"metadata", {{"name", key.name}, {"namespace", key.space}}},
                            {"content", content}};
    return makeObject(document, revision);
  };
}

inline std::string contentOf(const ObjectPtr& object) {
  return object ? json::textAt(documentOf(*object), {"content"}) : "(none)";
}

constexpr const char* things = "things";
inline ObjectKey thing(const std::string& name) { return {"default", name}; }

inline StoreOptions inLine() {
  StoreOptions options;
  options.commit = StoreOptions::Commit::inLine;
  return options;
}

inline ObjectPtr put(ingot::tests::Loop& loop, Store& store, const std::string& name, const std::string& content) {
  return loop.run(store.put(things, thing(name), store.find(things, thing(name)), building(thing(name), content)));
}

// The code that `action` is refused with.
template <class Action>
StoreError::Code storeRefusal(const Action& action) {
  try {
    action();
  } catch (const StoreError& e) {
    return e.code();
  }
  FAIL("the store did not refuse");
  return {};
}

}  // namespace ingot::apiserver::tests
