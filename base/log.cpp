#include "base/log.hpp"

#include "base/clock.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>

namespace ingot::base {
namespace {

class SilentSink final : public LogSink {
 public:
  void write(const LogEntry&) override {}
  [[nodiscard]] bool enabled(Level) const override { return false; }
};

class StderrSink final : public LogSink {
 public:
  explicit StderrSink(Level least) : least_(least) {}

  // One write(2) a line: lines of several threads and processes do not mix.
  void write(const LogEntry& entry) override {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(SystemClock().wall());
    auto time = formatMicroTime(now);
    time.replace(time.size() - 4, 3, "");  // milliseconds are enough
    const auto line = time + " " + formatEntry(entry) + "\n";
    const std::scoped_lock lock(mutex_);
    std::string_view rest = line;
    while (!rest.empty()) {
      const auto written = ::write(STDERR_FILENO, rest.data(), rest.size());
      if (written <= 0) return;  // nowhere left to complain to
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  [[nodiscard]] bool enabled(Level level) const override { return level >= least_; }

 private:
  Level least_;
  std::mutex mutex_;
};

std::string_view levelName(Level level) {
  switch (level) {
    case Level::debug: return "DEBUG";
    case Level::info: return "INFO ";
    case Level::warn: return "WARN ";
    case Level::error: return "ERROR";
  }
  return "?";
}

bool needsQuotes(std::string_view value) {
  return value.empty() || std::any_of(value.begin(), value.end(), [](char c) {
           return c == ' ' || c == '"' || c == '=' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

// One line an entry, whatever came from outside: control characters are escaped.
void appendQuoted(std::string& out, std::string_view value) {
  out += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void appendField(std::string& out, const LogField& field) {
  out += ' ';
  out += field.key;
  out += '=';
  if (needsQuotes(field.value)) {
    appendQuoted(out, field.value);
  } else {
    out += field.value;
  }
}

}  // namespace

std::string formatEntry(const LogEntry& entry) {
  std::string line(levelName(entry.level));
  line += ' ';
  line += entry.component;
  line += ' ';
  line += entry.message;
  for (const auto& field : entry.context) appendField(line, field);
  for (const auto& field : entry.fields) appendField(line, field);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

Log::Log(std::shared_ptr<LogSink> sink, std::string component)
    : sink_(std::move(sink)), component_(std::move(component)) {}

Log Log::silent() { return {std::make_shared<SilentSink>(), ""}; }

Log Log::named(std::string component) const {
  auto copy = *this;
  copy.component_ = std::move(component);
  return copy;
}

Log Log::with(std::string_view key, std::string_view value) const {
  auto copy = *this;
  copy.context_.emplace_back(key, value);
  return copy;
}

void Log::write(Level level, std::string_view message, std::initializer_list<LogField> fields) const {
  if (!sink_->enabled(level)) return;
  sink_->write({level, component_, message, context_, std::span(fields.begin(), fields.size())});
}

void Log::debug(std::string_view message, std::initializer_list<LogField> fields) const {
  write(Level::debug, message, fields);
}
void Log::info(std::string_view message, std::initializer_list<LogField> fields) const {
  write(Level::info, message, fields);
}
void Log::warn(std::string_view message, std::initializer_list<LogField> fields) const {
  write(Level::warn, message, fields);
}
void Log::error(std::string_view message, std::initializer_list<LogField> fields) const {
  write(Level::error, message, fields);
}

std::shared_ptr<LogSink> stderrSink(Level least) { return std::make_shared<StderrSink>(least); }

void MemorySink::write(const LogEntry& entry) { lines_.push_back(formatEntry(entry)); }

bool MemorySink::contains(std::string_view text) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace ingot::base
