#include "kube/schema/pattern.hpp"

#include "base/error.hpp"

#include <re2/re2.h>

#include <map>
#include <mutex>

namespace ingot::kube {

namespace {

re2::RE2::Options quiet() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

// Definitions repeat a dozen expressions a hundred times, and one for IPv6 addresses takes as long to compile as the
// rest of its definition. Expressions that nobody uses any more stay while there is room.
template <class Compiled>
class Expressions {
 public:
  std::shared_ptr<const Compiled> of(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(text); found != known_.end()) return found->second;
    auto compiled = std::make_shared<const Compiled>(text);
    if (!compiled->expression.ok()) throw base::InvalidInput("pattern", compiled->expression.error());
    if (known_.size() >= kRoom) std::erase_if(known_, [](const auto& one) { return one.second.use_count() == 1; });
    if (known_.size() < kRoom) known_.emplace(text, compiled);
    return compiled;
  }

 private:
  static constexpr std::size_t kRoom = 64;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Compiled>> known_;
};

}  // namespace

struct Pattern::Compiled {
  explicit Compiled(const std::string& text) : expression(text, quiet()) {}
  re2::RE2 expression;
};

Pattern::Pattern(std::string text) : text_(std::move(text)) {
  static Expressions<Compiled> expressions;
  compiled_ = expressions.of(text_);
}

bool Pattern::found(std::string_view in) const {
  return re2::RE2::PartialMatch(re2::StringPiece(in.data(), in.size()), compiled_->expression);
}

}  // namespace ingot::kube
