// Create, update and patch: decide on what is durable now, write under the condition that it still is.
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/options.hpp"
#include "apiserver/store/store.hpp"
#include "base/runtime.hpp"

#include <functional>

namespace ingot::apiserver {

class Writer {
 public:
  Writer(base::Runtime runtime, Store& store, const Kinds& kinds, int retries)
      : runtime_(std::move(runtime)), store_(store), kinds_(kinds), retries_(retries) {}

  using Edit = std::function<void(json::Value& object)>;

  [[nodiscard]] base::Task<Written> create(Target target, json::Value object, WriteOptions options);
  [[nodiscard]] base::Task<Written> update(Target target, json::Value object, WriteOptions options);
  [[nodiscard]] base::Task<Written> patch(Target target, Edit edit, WriteOptions options);
  // As patch(), on the server's own behalf: in the storage version, which need not be served.
  [[nodiscard]] base::Task<Written> amend(KindPtr kind, ObjectKey key, Edit edit);

 private:
  [[nodiscard]] base::Task<Written> modify(KindPtr kind, Target target, Edit edit, WriteContext context);
  // Throws ApiError unless objects may still be created where `key` is.
  void requireRoom(const Kind& kind, const ObjectKey& key) const;
  [[nodiscard]] Store::Build creating(KindPtr kind, ObjectKey key, json::Value document) const;

  base::Runtime runtime_;
  Store& store_;
  const Kinds& kinds_;
  int retries_;
};

[[nodiscard]] WriteContext contextOf(Operation operation, const Target& target, const WriteOptions& options);

}  // namespace ingot::apiserver
