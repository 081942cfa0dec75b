#include "kube/schema/pattern.hpp"

#include "base/error.hpp"

#include <re2/re2.h>

namespace ingot::kube {

struct Pattern::Compiled {
  re2::RE2 expression;
};

namespace {

re2::RE2::Options quiet() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

}  // namespace

Pattern::Pattern(std::string text) : text_(std::move(text)), compiled_(new Compiled{re2::RE2(text_, quiet())}) {
  if (!compiled_->expression.ok()) throw base::InvalidInput("pattern", compiled_->expression.error());
}

bool Pattern::found(std::string_view in) const {
  return re2::RE2::PartialMatch(re2::StringPiece(in.data(), in.size()), compiled_->expression);
}

}  // namespace ingot::kube
