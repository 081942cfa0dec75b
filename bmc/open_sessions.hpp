// The sessions that are open at BMCs. One that outlives its process, because that was killed, is closed by the next: a
// BMC has few, and gives none to anybody while they are taken (spec/bmc.md §3 rule 7).
#pragma once

#include "bmc/kept_file.hpp"

#include <map>
#include <vector>

namespace ingot::bmc {

class OpenSessions {
 public:
  // `file`: "" for none. What it holds of an earlier process is left. Paths only: no token is written down.
  explicit OpenSessions(base::Runtime runtime, const std::string& file = "",
                        std::shared_ptr<base::Offload> disk = nullptr);

  // One account of one BMC.
  using Key = std::string;
  [[nodiscard]] static Key keyOf(const std::string& bmc, const std::string& user) { return bmc + " " + user; }

  // A few are kept of an account; of more the oldest are nobody's to close.
  void opened(const Key& key, const std::string& path);
  void closed(const Key& key, const std::string& path);
  // It could not be closed, and nobody uses it any more: it is one that was left.
  void remained(const Key& key, const std::string& path);

  // Those that an earlier process left, or that remained. They stay so, over further restarts too, until closed() is
  // said.
  [[nodiscard]] std::vector<std::string> left(const Key& key) const;

 private:
  void load(const std::string& text);
  [[nodiscard]] std::string content() const;

  std::map<std::string, std::vector<std::string>> open_, left_;  // paths by account, the oldest first
  KeptFile file_;
};

}  // namespace ingot::bmc
