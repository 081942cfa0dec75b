// Reads many resources of a BMC, of which each may be missing, refused or of another shape.
#pragma once

#include "bmc/redfish/connection.hpp"

#include <functional>

namespace ingot::bmc::redfish {

// False: nothing else will be read either. (Who gives no turn says nothing of a resource.)
[[nodiscard]] bool concernsOneResource(const Error& error);

// What could not be read is noted, and the rest is read. Throws Error where the BMC stops answering, refuses the login,
// or gives no turn. Bounded in what it reads: a BMC may list anything.
class Walker {
 public:
  // What may be missing from what is read: anything that cannot be read, or only what the BMC does not have or show.
  enum class Missing { unreadable, absent };
  // `patience`: so long after the first reading it gives up.
  Walker(Connection& connection, Lane lane, Missing missing = Missing::unreadable,
         base::Duration patience = base::Duration::max())
      : connection_(connection), lane_(lane), missing_(missing), patience_(patience) {}

  template <class Resource>
  struct Found {
    std::optional<Read<Resource>> read;  // nullopt: it could not be read, and why is noted
    bool isAbsent = false;               // the BMC does not have it; else what keeps it may pass
  };
  template <class Resource>
  [[nodiscard]] base::Task<Found<Resource>> find(std::string path) {
    if (!begun_) begun_ = connection_.now();
    try {
      co_return Found<Resource>{.read = co_await ask<Resource>(std::move(path))};
    } catch (const Error& error) {
      if (!mayBeMissing(error)) throw;
      note(error.what());
      co_return Found<Resource>{.read = std::nullopt, .isAbsent = error.code() == Error::Code::unsupported};
    }
  }
  // nullopt: it could not be read, and why is noted.
  template <class Resource>
  [[nodiscard]] base::Task<std::optional<Read<Resource>>> read(std::string path) {
    co_return (co_await find<Resource>(std::move(path))).read;
  }
  template <class Resource>
  [[nodiscard]] base::Task<std::optional<Resource>> get(std::string path) {
    auto found = co_await read<Resource>(std::move(path));
    if (!found) co_return std::nullopt;
    co_return std::move(found->resource);
  }

  // The members of a collection, page by page; one resource is held at a time. What the BMC does not have is nothing
  // that it hides.
  template <class Resource>
  [[nodiscard]] base::Task<void> visit(std::optional<Link> collection, std::function<void(const Resource&)> use) {
    for (const auto& path : co_await memberPaths(std::move(collection)))
      if (const auto found = co_await get<Resource>(path)) use(*found);
  }
  [[nodiscard]] base::Task<std::vector<std::string>> memberPaths(std::optional<Link> collection);

  // As visit(), in one request a page where the service expands collections (spec/bmc.md §2.5). Where it does not, no
  // more than `mostSingly` members are read, and none once this gives up; that some were left is noted.
  template <class Resource>
  [[nodiscard]] base::Task<void> visitExpanded(std::optional<Link> collection, std::size_t mostSingly,
                                               std::function<void(const Resource&)> use) {
    if (!collection || !collection->id) co_return;
    const auto all = co_await expanded(*collection->id);
    for (const auto& member : all.value_or(std::vector<json::Value>{}))
      if (const auto found = decoded<Resource>(member)) use(*found);
    if (all) co_return;
    for (const auto& path : co_await memberPathsUpTo(std::move(collection), mostSingly)) {
      if (givesUpAt(path)) co_return;
      if (const auto found = co_await get<Resource>(path)) use(*found);
    }
  }
  // The members themselves. nullopt: the service expands no collections, or not this one.
  [[nodiscard]] base::Task<std::optional<std::vector<json::Value>>> expanded(std::string collection);
  [[nodiscard]] base::Task<std::vector<std::string>> memberPathsUpTo(std::optional<Link> collection, std::size_t most);

  // nullopt, which is noted: it is of another shape.
  template <class Resource>
  [[nodiscard]] std::optional<Resource> decoded(const json::Value& member) {
    try {
      return json::decode<Resource>(member);
    } catch (const base::Error& error) {
      note(error.what());
    }
    return std::nullopt;
  }

  // For what nothing hangs on: whatever ends `part` is noted. Throws Error{notPermitted} alone.
  [[nodiscard]] base::Task<void> tolerate(base::Task<void> part);

  // Adds the paths of `links`, each once. What no resource is called is noted.
  void take(const std::vector<Link>& links, std::vector<std::string>& into);

  void note(std::string why);
  [[nodiscard]] std::vector<std::string>& unread() { return unread_; }
  // There is no time for this resource, nor for what comes after it; which is noted.
  [[nodiscard]] bool givesUpAt(const std::string& path);

  static constexpr std::size_t mostMembers = 512;  // of one collection: drives of a large enclosure

 private:
  // As Connection::read(). A connection that is lost in the middle of a walk is opened anew a few times.
  template <class Resource>
  [[nodiscard]] base::Task<Read<Resource>> ask(std::string path) {
    for (int attempt = 1;; ++attempt) {
      try {
        auto found = co_await connection_.read<Resource>(lane_, path);
        wasAnswered_ = true;
        co_return found;
      } catch (const Error& error) {
        if (!mayBeRepeated(error, attempt)) throw;
      }
      co_await connection_.clock().sleepFor(repeatPause);
    }
  }

  static constexpr base::Duration repeatPause = std::chrono::seconds(3);
  [[nodiscard]] bool mayBeMissing(const Error& error) const;
  // It counts.
  [[nodiscard]] bool mayBeRepeated(const Error& error, int attempt);

  Connection& connection_;
  Lane lane_;
  Missing missing_;
  base::Duration patience_;
  std::optional<base::MonoTime> begun_;
  bool wasAnswered_ = false;
  int repeated_ = 0;
  std::vector<std::string> unread_;
};

}  // namespace ingot::bmc::redfish
