// The typed client: kinds in, kinds out. Everything throws kube::Error, json::DecodeError and base::Cancelled.
#pragma once

#include "kube/client/api.hpp"
#include "kube/core/kind.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ingot::kube {

// json::decode, remembering the document where our struct does not know all of it (ObjectMeta::origin).
template <Kind T>
[[nodiscard]] T decodeObject(json::Value document);
// json::encode with apiVersion and kind.
template <Kind T>
[[nodiscard]] json::Value encodeObject(const T& object);

class Client {
 public:
  explicit Client(std::unique_ptr<Api> api) : api_(std::move(api)) {}

  template <Kind T>
  [[nodiscard]] base::Task<std::optional<T>> get(ObjectKey key);
  template <Kind T>
  [[nodiscard]] base::Task<std::vector<T>> list(ListQuery query = {});
  // What the server stored.
  template <Kind T>
  [[nodiscard]] base::Task<T> create(T object);
  // Whole object, guarded by its metadata.resourceVersion.
  template <Kind T>
  [[nodiscard]] base::Task<T> update(T object);
  template <KindWithStatus T>
  [[nodiscard]] base::Task<T> updateStatus(T object);
  // A merge patch unless told otherwise; with metadata.resourceVersion in it guarded by that.
  template <Kind T>
  [[nodiscard]] base::Task<T> patch(ObjectKey key, json::Value patch, PatchType type = PatchType::merge);
  template <Kind T>
  [[nodiscard]] base::Task<T> patchStatus(ObjectKey key, json::Value patch, PatchType type = PatchType::merge);
  // False when there was none. It may stay for a while with a deletionTimestamp.
  template <Kind T>
  [[nodiscard]] base::Task<bool> remove(ObjectKey key, DeleteOptions options = {});

  [[nodiscard]] Api& api() { return *api_; }

 private:
  std::unique_ptr<Api> api_;
};

}  // namespace ingot::kube

#include "kube/client/client_impl.hpp"
