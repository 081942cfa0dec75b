#include "net/curl/idle_handles.hpp"

#include <curl/curl.h>

#include <algorithm>

namespace ingot::net::curl {

IdleHandles::~IdleHandles() {
  for (const auto& idle : idle_) curl_easy_cleanup(idle.easy);
}

void IdleHandles::keep(const ClientState& client, Easy easy) {
  if (idle_.size() == most) {
    curl_easy_cleanup(idle_.front().easy);
    idle_.erase(idle_.begin());
  }
  idle_.push_back({&client, easy});
}

Easy IdleHandles::take(const ClientState& client) {
  const auto found =
      std::find_if(idle_.rbegin(), idle_.rend(), [&](const Idle& idle) { return idle.client == &client; });
  if (found == idle_.rend()) return nullptr;
  Easy const easy = found->easy;
  idle_.erase(std::next(found).base());
  return easy;
}

void IdleHandles::drop(const ClientState& client) {
  std::erase_if(idle_, [&](const Idle& idle) {
    if (idle.client != &client) return false;
    curl_easy_cleanup(idle.easy);
    return true;
  });
}

}  // namespace ingot::net::curl
