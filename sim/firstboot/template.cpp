#include "sim/firstboot/template.hpp"

#include "base/text.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/firstboot/expression.hpp"

namespace ingot::sim::firstboot {

namespace {

constexpr std::string_view header = "## template: jinja";
constexpr std::size_t mostMebibytes = 16;
constexpr std::string_view space = " \t\r\n";

class Renderer {
 public:
  Renderer(std::string_view text, const json::Object& names) : text_(text), names_(names) {}

  std::string run() {
    while (true) {
      const auto next = text_.find('{', at_);
      if (next == std::string_view::npos || next + 1 >= text_.size()) break;
      copyTo(next);
      switch (text_[next + 1]) {
        case '{': expression(); break;
        case '%': block(); break;
        case '#': (void)inside("#}"); break;
        default: out_ += text_[at_++];
      }
    }
    copyTo(text_.size());
    return std::move(out_);
  }

 private:
  void copyTo(std::size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  [[noreturn]] void fail(std::size_t where, const std::string& problem) const {
    throw BootError(fmt::format("line {}: {}", 2 + std::ranges::count(text_.substr(0, where), '\n'), problem));
  }

  void expression() {
    const auto start = at_;
    const auto words = inside("}}");
    try {
      out_ += evaluate(words, names_, budget_);
    } catch (const BootError& error) {
      fail(start, fmt::format("{{{{ {} }}}}: {}", words, error.what()));
    }
    dropSpaceIfAsked();
  }

  // Only {% raw %}: everything up to {% endraw %} stays as it is.
  void block() {
    const auto start = at_;
    const auto words = inside("%}");
    if (words != "raw") fail(start, fmt::format("{{% {} %}}: statements are not known here, but raw", words));
    dropLineEnd();
    for (auto next = text_.find("{%", at_); next != std::string_view::npos; next = text_.find("{%", next + 2)) {
      const auto end = text_.find("%}", next);
      if (end == std::string_view::npos) break;
      if (base::trimmed(text_.substr(next + 2, end - next - 2)) != "endraw") continue;
      copyTo(next);
      at_ = end + 2;
      return dropLineEnd();
    }
    fail(start, "{% raw %} has no {% endraw %}");
  }

  // What stands between the two characters here and `end`; behind it afterwards. A minus takes the white space outside.
  std::string_view inside(std::string_view end) {
    const auto start = at_;
    const auto found = text_.find(end, start + 2);
    if (found == std::string_view::npos) fail(start, fmt::format("{} has no {}", text_.substr(start, 2), end));
    auto words = text_.substr(start + 2, found - start - 2);
    at_ = found + 2;
    if (words.starts_with('-')) {
      words.remove_prefix(1);
      out_.resize(out_.find_last_not_of(space) + 1);
    }
    eatsSpace_ = words.ends_with('-');
    if (eatsSpace_) words.remove_suffix(1);
    if (end == "#}") dropSpaceIfAsked();
    return base::trimmed(words);
  }

  void dropSpaceIfAsked() {
    if (eatsSpace_) at_ = std::min(text_.find_first_not_of(space, at_), text_.size());
  }
  // cloud-init has Jinja trim blocks.
  void dropLineEnd() {
    if (text_.substr(at_).starts_with('\n')) ++at_;
  }

  std::string_view text_;
  const json::Object& names_;
  Budget budget_{"the template makes", mostMebibytes};
  std::size_t at_ = 0;
  std::string out_;
  bool eatsSpace_ = false;
};

}  // namespace

bool isTemplate(std::string_view text) {
  const auto start = base::trimmed(text);
  return base::equalButForCase(start.substr(0, header.size()), header);
}

std::string render(std::string_view text, const json::Object& names) {
  const auto end = text.find('\n', text.find(header.substr(0, 2)));
  if (end == std::string_view::npos) return "";
  return Renderer(text.substr(end + 1), names).run();
}

}  // namespace ingot::sim::firstboot
