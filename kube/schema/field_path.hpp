// A position in an object while it is walked; spelled out only when something is to be said about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

class FieldPath {
 public:
  FieldPath() = default;
  // Both refer to `this`, which must outlive them.
  [[nodiscard]] FieldPath member(std::string_view name) const { return {this, name, 0, Step::member}; }
  [[nodiscard]] FieldPath key(std::string_view name) const {
    return {this, name, 0, Step::key};
  }  // of a map: data[a b]
  [[nodiscard]] FieldPath item(std::size_t index) const { return {this, {}, index, Step::item}; }

  [[nodiscard]] bool root() const { return step_ == Step::root; }
  // "spec.list[0].key"; "" for the object itself.
  [[nodiscard]] std::string text() const;
  // The same with the keys of maps as if they were members, "data.a b": schema errors and unknown fields are told so.
  [[nodiscard]] std::string dotted() const;

 private:
  enum class Step { root, member, key, item };
  FieldPath(const FieldPath* parent, std::string_view name, std::size_t index, Step step)
      : parent_(parent), name_(name), index_(index), step_(step) {}

  const FieldPath* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = 0;
  Step step_ = Step::root;
};

// The first fields about which there is something to say. All of them could take far more memory than the object
// itself, as the names of a long path are spelled out for each: kube-apiserver too stops at a hundred.
class FieldReport {
 public:
  explicit FieldReport(std::vector<std::string>& fields) : fields_(fields) {}
  [[nodiscard]] bool full() const { return fields_.size() >= kMostFields || bytes_ >= kMostBytes; }
  void add(std::string path) {
    bytes_ += path.size();
    fields_.push_back(std::move(path));
  }

 private:
  static constexpr std::size_t kMostFields = 100, kMostBytes = 64u << 10;
  std::vector<std::string>& fields_;
  std::size_t bytes_ = 0;
};

}  // namespace ingot::kube
