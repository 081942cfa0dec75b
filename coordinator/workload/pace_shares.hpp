// What reading all servers together may cost, shared by those that are read at the moment.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ingot::coordinator::workload {

// Each namespace gets as much, and so does each server within one: nobody gets more by having more clusters. A server
// that has told nothing for ten seconds leaves its share to the others.
class PaceShares {
 public:
  class Share;

 private:
  using Readers = std::list<std::pair<Share*, base::MonoTime>>;  // and until when they count, the first to go first

 public:
  explicit PaceShares(std::size_t perSecond) : perSecond_(perSecond) {}

  // Of one server.
  class Share {
   public:
    Share(std::shared_ptr<PaceShares> all, std::string namespace_)
        : all_(std::move(all)), namespace_(std::move(namespace_)) {}
    ~Share() { leave(); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Bytes a second that it may be read with; at least 1.
    [[nodiscard]] std::size_t rate(base::MonoTime now) const;
    // It has told something.
    void use(base::MonoTime now);

   private:
    friend class PaceShares;
    void leave();

    std::shared_ptr<PaceShares> all_;
    std::string namespace_;
    std::optional<Readers::iterator> reading_;
  };

 private:
  void letGo(base::MonoTime now);

  std::size_t perSecond_;
  Readers readers_;
  std::map<std::string, std::size_t> inNamespace_;  // how many of them
};

}  // namespace ingot::coordinator::workload
