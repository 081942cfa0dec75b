// Structured logs: a fixed message and key=value fields, one line an entry.
//   log.with("host", key.text()).info("registered", {{"node", uuid}, {"seconds", took}});
//   → 2026-01-31T10:00:00.123Z INFO  coordinator registered host=metal3/a node=… seconds=3
#pragma once

#include "base/secret.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot::base {

enum class Level { debug, info, warn, error };

struct LogField {
  std::string key;
  std::string value;

  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  LogField(std::string_view k, const std::string& v) : key(k), value(v) {}
  LogField(std::string_view k, const char* v) : key(k), value(v) {}
  LogField(std::string_view k, bool v) : key(k), value(v ? "true" : "false") {}
  template <class T>
    requires std::is_arithmetic_v<T>
  LogField(std::string_view k, T v) : key(k), value(fmt::format("{}", v)) {}
  LogField(std::string_view, const Secret&) = delete;  // secrets have no way into a log
};

struct LogEntry {
  Level level;
  std::string_view component;
  std::string_view message;
  const std::vector<LogField>& context;
  std::span<const LogField> fields;
};

// "INFO  coordinator registered host=metal3/a node=…": one line without time; values are quoted where needed.
[[nodiscard]] std::string formatEntry(const LogEntry& entry);

// Where entries go: standard error in programs, memory in tests.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(const LogEntry& entry) = 0;
  [[nodiscard]] virtual bool enabled(Level level) const = 0;
};

// A cheap value: copy it, add context, pass it on. Thread-safe as far as its sink is.
class Log {
 public:
  Log(std::shared_ptr<LogSink> sink, std::string component);
  [[nodiscard]] static Log silent();

  [[nodiscard]] Log named(std::string component) const;
  [[nodiscard]] Log with(std::string_view key, std::string_view value) const;

  void debug(std::string_view message, std::initializer_list<LogField> fields = {}) const;
  void info(std::string_view message, std::initializer_list<LogField> fields = {}) const;
  void warn(std::string_view message, std::initializer_list<LogField> fields = {}) const;
  void error(std::string_view message, std::initializer_list<LogField> fields = {}) const;

 private:
  void write(Level level, std::string_view message, std::initializer_list<LogField> fields) const;
  std::shared_ptr<LogSink> sink_;
  std::string component_;
  std::vector<LogField> context_;
};

// Text lines to standard error; safe from several threads.
[[nodiscard]] std::shared_ptr<LogSink> stderrSink(Level least);

// Keeps lines for tests to read.
class MemorySink final : public LogSink {
 public:
  void write(const LogEntry& entry) override;
  [[nodiscard]] bool enabled(Level) const override { return true; }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  [[nodiscard]] bool contains(std::string_view text) const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace ingot::base
