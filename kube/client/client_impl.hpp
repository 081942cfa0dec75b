// Templates of kube/client/client.hpp: thin shells around Api, one small set for each kind.
#pragma once

#include "kube/client/client.hpp"

namespace ingot::kube {
namespace detail {

// `document` without managedFields.
[[nodiscard]] Origin keep(json::Value document);
[[nodiscard]] bool insideList(const std::vector<std::string>& paths);
// `fields` with apiVersion and kind in front.
[[nodiscard]] json::Value withTypeMeta(const KindInfo& kind, json::Value fields);

}  // namespace detail

template <Kind T>
T decodeObject(json::Value document) {
  std::vector<std::string> unknown;
  json::Lacks lacks{.below = "status"};
  T object = json::decodeStrict<T>(document, unknown, lacks);
  if (lacks.any || detail::insideList(unknown)) object.metadata.origin = detail::keep(std::move(document));
  return object;
}

template <Kind T>
json::Value encodeObject(const T& object) {
  return detail::withTypeMeta(T::info, json::encode(object));
}

template <Kind T>
base::Task<std::optional<T>> Client::get(ObjectKey key) {
  auto found = co_await api_->get(Resource::of(T::info), std::move(key));
  if (!found) co_return std::nullopt;
  co_return decodeObject<T>(std::move(*found));
}

template <Kind T>
base::Task<std::vector<T>> Client::list(ListQuery query) {
  Page page = co_await api_->list(Resource::of(T::info), std::move(query));
  std::vector<T> all;
  all.reserve(page.items.size());
  for (auto& item : page.items) all.push_back(decodeObject<T>(std::move(item)));
  co_return all;
}

template <Kind T>
base::Task<T> Client::create(T object) {
  std::string namespace_ = object.metadata.namespace_;
  co_return decodeObject<T>(co_await api_->create(Resource::of(T::info), std::move(namespace_), encodeObject(object)));
}

template <Kind T>
base::Task<T> Client::update(T object) {
  co_return decodeObject<T>(co_await api_->update(Resource::of(T::info), object.metadata.key(), encodeObject(object)));
}

template <KindWithStatus T>
base::Task<T> Client::updateStatus(T object) {
  co_return decodeObject<T>(
      co_await api_->update(Resource::of(T::info), object.metadata.key(), encodeObject(object), "status"));
}

template <Kind T>
base::Task<T> Client::patch(ObjectKey key, json::Value patch, PatchType type) {
  co_return decodeObject<T>(co_await api_->patch(Resource::of(T::info), std::move(key), type, std::move(patch)));
}

template <Kind T>
base::Task<T> Client::patchStatus(ObjectKey key, json::Value patch, PatchType type) {
  co_return decodeObject<T>(
      co_await api_->patch(Resource::of(T::info), std::move(key), type, std::move(patch), "status"));
}

template <Kind T>
base::Task<bool> Client::remove(ObjectKey key, DeleteOptions options) {
  co_return (co_await api_->remove(Resource::of(T::info), std::move(key), std::move(options))).has_value();
}

}  // namespace ingot::kube
