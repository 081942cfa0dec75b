// get, list and watch: durable state, as it is or as it was (spec/kubernetes-api.md §6).
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/options.hpp"
#include "apiserver/registry/selectors.hpp"
#include "apiserver/registry/watch.hpp"
#include "apiserver/store/store.hpp"
#include "base/runtime.hpp"

namespace ingot::apiserver {

class Reader {
 public:
  struct Options {
    base::Duration futureRevisionWait, bookmarkInterval;
  };
  Reader(base::Runtime runtime, Store& store, const Kinds& kinds, Options options)
      : runtime_(std::move(runtime)), store_(store), kinds_(kinds), options_(options) {}

  [[nodiscard]] base::Task<ObjectPtr> get(Target target, GetOptions options);
  [[nodiscard]] base::Task<Listed> list(Target target, ListOptions options);
  // `stopping` must outlive the watch; once true, every watch ends when it is woken.
  [[nodiscard]] std::unique_ptr<Watch> watch(const Target& target, const WatchOptions& options, const bool& stopping);

 private:
  [[nodiscard]] base::Task<void> reach(std::string revision);
  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
  Options options_;
};

// nullopt for "" and "0" ("any"). Throws ApiError 400 for what is no number.
[[nodiscard]] std::optional<Revision> revisionIn(std::string_view text);

}  // namespace ingot::apiserver
