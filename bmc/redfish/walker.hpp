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
  Walker(Connection& connection, Lane lane) : connection_(connection), lane_(lane) {}

  // nullopt: it could not be read, and why is noted.
  template <class Resource>
  [[nodiscard]] base::Task<std::optional<Resource>> get(std::string path) {
    try {
      co_return co_await connection_.get<Resource>(lane_, std::move(path));
    } catch (const Error& error) {
      if (!concernsOneResource(error)) throw;
      note(error.what());
    }
    co_return std::nullopt;
  }

  // The members of a collection, page by page; one resource is held at a time. What the BMC does not have is nothing
  // that it hides.
  template <class Resource>
  [[nodiscard]] base::Task<void> visit(std::optional<Link> collection, std::function<void(const Resource&)> use) {
    for (const auto& path : co_await memberPaths(std::move(collection)))
      if (const auto found = co_await get<Resource>(path)) use(*found);
  }
  [[nodiscard]] base::Task<std::vector<std::string>> memberPaths(std::optional<Link> collection);

  // Adds the paths of `links`, each once, and none that no resource has.
  void take(const std::vector<Link>& links, std::vector<std::string>& into);

  void note(std::string why);
  [[nodiscard]] std::vector<std::string>& unread() { return unread_; }

  static constexpr std::size_t mostMembers = 512;  // of one collection: drives of a large enclosure

 private:
  Connection& connection_;
  Lane lane_;
  std::vector<std::string> unread_;
};

}  // namespace ingot::bmc::redfish
