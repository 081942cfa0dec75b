#include "json/parse_without.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>

#include <charconv>
#include <cmath>

namespace ingot::json {

ParseError::ParseError(const std::string& problem, std::size_t line, std::size_t column, std::size_t offset)
    : Error(line == 0 ? problem : fmt::format("{} at line {}, column {}", problem, line, column)),
      line_(line),
      column_(column),
      offset_(offset) {}

namespace {

constexpr std::size_t kShownDigits = 40;  // of a number that is refused
// Two bytes of a text make a value of 24: what is within its bytes may be beyond the memory. A page of 500 large
// objects has a quarter of this.
constexpr std::size_t kMostValues = 2'000'000;

// Tells which parts of a text are left out.
class Filter {
 public:
  explicit Filter(const LeftOut& what) : what_(what) {}

  [[nodiscard]] bool isOpen() const { return skippedAt_ == 0; }
  // How many members of the object that ends.
  [[nodiscard]] std::size_t leftOut() const { return depth_ == what_.depth && isParent_ ? leftOut_ : 0; }

  // An object or array begins.
  void enter() {
    if (++depth_ != what_.depth) return;
    isParent_ = std::exchange(isNext_, false);
    leftOut_ = 0;
  }
  void leave() {
    --depth_;
    passed();
  }
  // A value has ended.
  void passed() {
    if (skippedAt_ == depth_) skippedAt_ = 0;
    if (depth_ + 1 == what_.depth) isNext_ = false;
  }
  // `key`: the last piece of one of `size` bytes.
  bool keeps(std::string_view key, std::size_t size) {
    if (depth_ + 1 == what_.depth) isNext_ = key == what_.parent && size == key.size();
    if (depth_ != what_.depth || !isParent_ || key != what_.member || size != key.size()) return true;
    skippedAt_ = depth_;
    ++leftOut_;
    return false;
  }

 private:
  LeftOut what_;
  std::size_t depth_ = 0, skippedAt_ = 0, leftOut_ = 0;
  bool isNext_ = false;    // the value that comes is called as the parent
  bool isParent_ = false;  // we are in it, or below it
};

// Puts the document together. Boost's own way is off in the last digit of some numbers of 17 and turns those beyond a
// double into infinity: fractions and exponents are read here.
class Builder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): as basic_parser calls them
  static constexpr std::size_t max_object_size = Object::max_size();
  static constexpr std::size_t max_array_size = Array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size = boost::json::string::max_size();
  // NOLINTEND(readability-identifier-naming)

  using Text = boost::json::string_view;
  using Problem = boost::system::error_code;

  Builder(unsigned char* scratch, std::size_t size, const LeftOut& without, boost::json::storage_ptr storage)
      : parts_({}, scratch, size), filter_(without), storage_(std::move(storage)) {}

  [[nodiscard]] Value take() { return parts_.release(); }
  [[nodiscard]] bool isFull() const { return values_ > kMostValues; }
  [[nodiscard]] std::string_view tooLarge() const { return tooLarge_; }  // the number that no double holds

  // NOLINTBEGIN(readability-identifier-naming): as basic_parser calls them
  bool on_document_begin(Problem&) { return parts_.reset(storage_), true; }
  bool on_document_end(Problem&) { return true; }
  bool on_object_begin(Problem& problem) { return filter_.enter(), count(problem); }
  bool on_object_end(std::size_t members, Problem&) {
    if (filter_.isOpen()) parts_.push_object(members - filter_.leftOut());
    return filter_.leave(), true;
  }
  bool on_array_begin(Problem& problem) { return filter_.enter(), count(problem); }
  bool on_array_end(std::size_t items, Problem&) {
    if (filter_.isOpen()) parts_.push_array(items);
    return filter_.leave(), true;
  }
  bool on_key_part(Text s, std::size_t, Problem&) {
    if (filter_.isOpen()) parts_.push_chars(s);
    return true;
  }
  bool on_key(Text s, std::size_t size, Problem&) {
    if (filter_.isOpen() && filter_.keeps(s, size)) parts_.push_key(s);
    return true;
  }
  bool on_string_part(Text s, std::size_t, Problem&) {
    if (filter_.isOpen()) parts_.push_chars(s);
    return true;
  }
  bool on_string(Text s, std::size_t, Problem& problem) {
    return plain(problem, [&] { parts_.push_string(s); });
  }
  bool on_number_part(Text, Problem&) { return true; }
  bool on_int64(std::int64_t n, Text, Problem& problem) {
    return plain(problem, [&] { parts_.push_int64(n); });
  }
  bool on_uint64(std::uint64_t n, Text, Problem& problem) {
    return plain(problem, [&] { parts_.push_uint64(n); });
  }
  bool on_double(double near, Text text, Problem& problem) {
    double exact = 0;
    const bool fits = std::from_chars(text.data(), text.data() + text.size(), exact).ec == std::errc();
    if (!fits && !(std::abs(near) < 1)) {
      tooLarge_ = text;
      problem = boost::json::error::exponent_overflow;
      return false;
    }
    return plain(problem, [&] { parts_.push_double(fits ? exact : near); });  // too small for a double: 0
  }
  bool on_bool(bool b, Problem& problem) {
    return plain(problem, [&] { parts_.push_bool(b); });
  }
  bool on_null(Problem& problem) {
    return plain(problem, [&] { parts_.push_null(); });
  }
  bool on_comment_part(Text, Problem&) { return true; }
  bool on_comment(Text, Problem&) { return true; }
  // NOLINTEND(readability-identifier-naming)

 private:
  // A value that holds no others.
  bool plain(Problem& problem, auto push) {
    if (filter_.isOpen()) push();
    return filter_.passed(), count(problem);
  }
  bool count(Problem& problem) {
    if (++values_ <= kMostValues) return true;
    problem = boost::json::error::array_too_large;
    return false;
  }

  boost::json::value_stack parts_;
  Filter filter_;
  boost::json::storage_ptr storage_;  // of the document
  std::string_view tooLarge_;
  std::size_t values_ = 0;
};

}  // namespace

// One document at the beginning of a text.
class DocumentParser {
 public:
  DocumentParser(std::string_view text, ParseLimits limits, const LeftOut& without = {},
                 boost::json::storage_ptr storage = {})
      : text_(text) {
    if (text.size() > limits.bytes)
      throw ParseError(fmt::format("document of {} bytes is over the limit of {}", text.size(), limits.bytes), 0, 0, 0);
    boost::json::parse_options options;
    options.max_depth = limits.depth;
    std::array<unsigned char, 4096> scratch;  // what most documents need while they are put together
    boost::json::basic_parser<Builder> parser(options, scratch.data(), scratch.size(), without, std::move(storage));
    boost::system::error_code problem;
    end_ = parser.write_some(false, text.data(), text.size(), problem);
    if (problem) fail(problem, parser.handler());
    value_.emplace(parser.handler().take());  // an assignment would copy it out of its storage
  }

  // After the document only white space may follow.
  void expectEnd() const {
    const auto rest = text_.find_first_not_of(" \t\r\n", end_);
    if (rest != std::string_view::npos) throw errorAt(rest, "extra data after the document");
  }

  [[nodiscard]] Value take() { return std::move(*value_); }

 private:
  [[noreturn]] void fail(const boost::system::error_code& problem, const Builder& builder) const {
    if (builder.isFull()) throw errorAt(end_, fmt::format("document of more than {} values", kMostValues));
    if (const auto number = builder.tooLarge(); !number.empty())
      throw errorAt(static_cast<std::size_t>(number.data() - text_.data()),
                    fmt::format("number {} is out of range", number.substr(0, kShownDigits)));
    const bool atEnd = problem == boost::json::error::incomplete || end_ >= text_.size();  // the latter in "1."
    if (!atEnd) throw errorAt(end_, problem.message());
    ParseError error = errorAt(text_.size(), "unexpected end of the document");
    error.endedEarly_ = true;
    throw error;
  }

  [[nodiscard]] ParseError errorAt(std::size_t offset, const std::string& problem) const {
    const auto before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    const auto lineStart = before.rfind('\n');
    const auto column = before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1;
    return {problem, line, column, before.size()};
  }

  std::string_view text_;
  std::size_t end_ = 0;
  std::optional<Value> value_;
};

Value parse(std::string_view text, ParseLimits limits) {
  DocumentParser document(text, limits);
  document.expectEnd();
  return document.take();
}

Value parseWithout(std::string_view text, const LeftOut& without, ParseLimits limits) {
  const std::size_t firstBlock = std::min<std::size_t>(2 * text.size(), 64u << 10);
  auto storage = boost::json::make_shared_resource<boost::json::monotonic_resource>(firstBlock);
  DocumentParser document(text, limits, without, std::move(storage));
  document.expectEnd();
  return document.take();
}

Value parseFirst(std::string_view text, ParseLimits limits) { return DocumentParser(text, limits).take(); }

}  // namespace ingot::json
