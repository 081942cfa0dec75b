#include "base/json_log.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace ingot::base {
namespace {

std::string_view levelWord(Level level) {
  switch (level) {
    case Level::debug: return "debug";
    case Level::info: return "info";
    case Level::warn: return "warn";
    case Level::error: return "error";
  }
  std::unreachable();
}

void appendJsonText(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : toUtf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// The members of one line, each key once.
class Members {
 public:
  void add(std::string key, std::string_view json) {
    while (std::ranges::find(keys_, key) != keys_.end()) key += '_';
    out_ += out_.empty() ? '{' : ',';
    appendJsonText(out_, key);
    out_ += ':';
    out_ += json;
    keys_.push_back(std::move(key));
  }
  void addText(std::string key, std::string_view text) {
    std::string quoted;
    appendJsonText(quoted, text);
    add(std::move(key), quoted);
  }
  [[nodiscard]] std::string take() { return std::move(out_) + "}"; }

 private:
  std::string out_;
  std::vector<std::string> keys_;
};

std::string keyOf(const LogField& field, Level level) {
  const bool isTrouble = level == Level::warn || level == Level::error;
  return isTrouble && field.key == "error" ? "err" : field.key;
}

class JsonStderrSink final : public LogSink {
 public:
  explicit JsonStderrSink(Level least) : least_(least) {}

  // One write(2) a line: lines of several threads and processes do not mix.
  void write(const LogEntry& entry) override {
    const std::string line = formatJsonEntry(entry, SystemClock().wall()) + "\n";
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

}  // namespace

std::string formatJsonEntry(const LogEntry& entry, WallTime now) {
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
  Members line;
  line.add("ts", fmt::format("{}.{:03}", micros / 1000, micros % 1000));
  line.addText("logger", entry.component);
  line.addText("msg", entry.message);
  if (entry.level != Level::error) line.add("v", entry.level == Level::debug ? "4" : "0");
  line.addText("level", levelWord(entry.level));
  for (const auto& field : entry.context) line.addText(keyOf(field, entry.level), field.value);
  for (const auto& field : entry.fields) line.addText(keyOf(field, entry.level), field.value);
  return line.take();
}

std::shared_ptr<LogSink> jsonStderrSink(Level least) { return std::make_shared<JsonStderrSink>(least); }

}  // namespace ingot::base
