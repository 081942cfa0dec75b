// Reads what an answer can do without: where the server refuses it, the rest of the answer is given all the same.
#pragma once

#include "cli/run/session.hpp"
#include "json/shape.hpp"
#include "kube/core/error.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::cli {

// Of a kind that the server does not serve there are no objects. What cannot be had for another reason is told on
// standard error, and its kind kept as unread. Throws kube::Error when the connection, or the credentials, are at
// fault.
class Reader {
 public:
  explicit Reader(Session& session) : session_(session) {}

  template <kube::Kind T>
  [[nodiscard]] base::Task<std::optional<T>> find(kube::ObjectKey key) {
    try {
      co_return co_await session_.client.get<T>(key);
    } catch (const kube::Error& error) {
      refused(T::info.kind, error);
    } catch (const json::DecodeError& error) {
      odd(T::info.kind, key, error);
    }
    co_return std::nullopt;
  }

  // An object that cannot be read is left out.
  template <kube::Kind T>
  [[nodiscard]] base::Task<std::vector<T>> list(kube::ListQuery query) {
    const auto items = co_await listRaw(kube::Resource::of(T::info), std::move(query));
    std::vector<T> all;
    all.reserve(items.size());
    for (const json::Value& item : items) {
      try {
        all.push_back(kube::decodeObject<T>(item));
      } catch (const json::DecodeError& error) {
        odd(T::info.kind, keyOf(item), error);
      }
    }
    co_return all;
  }

  [[nodiscard]] base::Task<std::vector<json::Value>> listRaw(kube::Resource resource, kube::ListQuery query);
  [[nodiscard]] base::Task<std::optional<json::Value>> findRaw(kube::Resource resource, kube::ObjectKey key);

  // Kinds of which something is missing.
  [[nodiscard]] const std::set<std::string, std::less<>>& unread() const { return unread_; }

 private:
  static kube::ObjectKey keyOf(const json::Value& object);
  void refused(std::string_view kind, const kube::Error& error);
  void odd(std::string_view kind, const kube::ObjectKey& key, const base::Error& error);

  Session& session_;
  std::set<std::string, std::less<>> unread_;
};

}  // namespace ingot::cli
