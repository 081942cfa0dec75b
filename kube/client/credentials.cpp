#include "kube/client/credentials.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

namespace ingot::kube {
namespace {

constexpr base::Duration kTokenFreshFor = std::chrono::minutes(1);
constexpr std::size_t kTokenLimit = 1 << 20;

}  // namespace

const base::Secret& BearerToken::current(base::MonoTime now) {
  if (!file_.empty() && (!readAt_ || now - *readAt_ >= kTokenFreshFor)) read(now);
  return token_;
}

bool BearerToken::refused() {
  if (file_.empty()) return false;
  readAt_.reset();
  return true;
}

void BearerToken::read(base::MonoTime now) {
  readAt_ = now;
  try {
    std::string text(base::trimmed(base::readFile(file_, kTokenLimit)));
    if (!text.empty()) token_ = base::Secret(std::move(text));
  } catch (const base::Error&) {
    // Between two versions of a projected volume the file may be missing: the old token is good for a while.
  }
}

}  // namespace ingot::kube
