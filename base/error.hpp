// The root of every exception of ours, and the two that every layer shares.
#pragma once

#include <stdexcept>
#include <string>

namespace ingot::base {

// `what()` is for people: one line, no secrets. Callers switch on the derived type's code, never on the text.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The coroutine was asked to stop. Never caught but by who asked.
class Cancelled final : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

// A deadline passed before the awaited thing happened.
class TimedOut final : public Error {
 public:
  using Error::Error;
};

// A value from outside (flag, file, manifest) is not usable: `where` names the field or the file and line.
class InvalidInput final : public Error {
 public:
  InvalidInput(std::string where, const std::string& problem)
      : Error(where + ": " + problem), where_(std::move(where)) {}
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::string where_;
};

}  // namespace ingot::base
