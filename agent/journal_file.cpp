#include "agent/journal_file.hpp"

#include "base/file.hpp"

#include <fmt/format.h>
#include <boost/crc.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace ingot::agent {

namespace {

// A line is the CRC of what follows, a key and its value: `0a1b2c3d u1 {…}`, `0a1b2c3d u1 -` where the key goes. The
// last of a batch has the key "." and their number.
constexpr std::string_view endOfBatch = ".", gone = "-";
constexpr std::size_t crcLength = 8;
constexpr std::size_t longestFile = 256u << 20;

std::string crcOf(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:08x}", crc.checksum());
}

void addLine(std::string& text, std::string_view key, std::string_view value) {
  const auto line = fmt::format("{} {}", key, value);
  fmt::format_to(std::back_inserter(text), "{} {}\n", crcOf(line), line);
}

struct Line {
  std::string_view key, value;
};

std::optional<Line> lineIn(std::string_view text) {
  if (text.size() < crcLength + 1 || text[crcLength] != ' ') return std::nullopt;
  const auto rest = text.substr(crcLength + 1);
  const auto blank = rest.find(' ');
  if (blank == std::string_view::npos || crcOf(rest) != text.substr(0, crcLength)) return std::nullopt;
  return Line{rest.substr(0, blank), rest.substr(blank + 1)};
}

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw base::Error(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

void writeAt(int fd, const std::string& path, std::string_view text, std::uint64_t offset) {
  while (!text.empty()) {
    const auto put = ::pwrite(fd, text.data(), text.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(path, "cannot write");
    offset += static_cast<std::uint64_t>(put);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

JournalFile::Content readJournalText(std::string_view text) {
  JournalFile::Content content;
  JournalFile::Batch batch;
  bool hasUnreadable = false, hasHole = false;
  // Pages reach a disk in any order: of the last batch, which nobody was told to be there, some may be missing.
  std::optional<JournalFile::Batch> torn;
  const auto apply = [&content](JournalFile::Batch& whole) {
    for (auto& [key, value] : whole)
      if (value)
        content.records[key] = std::move(*value);
      else
        content.records.erase(key);
    whole.clear();
  };
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;  // it was never written to its end
    const auto line = lineIn(text.substr(0, end));
    hasHole = hasHole || text.substr(0, end).contains('\0');
    text.remove_prefix(end + 1);
    if (!line) {
      hasUnreadable = true;
    } else if (line->key != endOfBatch) {
      batch[std::string(line->key)] = line->value == gone ? std::nullopt : std::optional(std::string(line->value));
    } else {
      if (line->value != std::to_string(batch.size())) hasUnreadable = true;
      if (torn) {  // it was not the last
        content.isDamaged = true;
        apply(*torn);
        torn.reset();
      }
      if (std::exchange(hasHole, false) && hasUnreadable)
        torn = std::exchange(batch, {});
      else
        content.isDamaged = content.isDamaged || hasUnreadable;
      hasUnreadable = false;
      apply(batch);
    }
  }
  return content;
}

JournalFile::~JournalFile() { close(); }

JournalFile::Content JournalFile::read() const {
  const auto text = base::readFileIfExists(path_, longestFile);
  return text ? readJournalText(*text) : Content{};
}

void JournalFile::append(const Batch& batch) {
  if (fd_ < 0) throw base::Error(path_ + ": it has to be rewritten");
  std::string text;
  for (const auto& [key, value] : batch) addLine(text, key, value ? std::string_view(*value) : gone);
  addLine(text, endOfBatch, std::to_string(batch.size()));
  try {
    writeAt(fd_, path_, text, size_);
    if (::fdatasync(fd_) != 0) fail(path_, "cannot sync");
  } catch (const base::Error&) {
    close();  // what stands behind the last batch now is anybody's guess
    throw;
  }
  size_ += text.size();
}

void JournalFile::rewrite(const Records& records) {
  std::string text;
  for (const auto& [key, value] : records) addLine(text, key, value);
  addLine(text, endOfBatch, std::to_string(records.size()));
  close();
  base::writeFileAtomically(path_, text, 0600);
  open();
  size_ = text.size();
}

void JournalFile::open() {
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) fail(path_, "cannot open");
}

void JournalFile::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  size_ = 0;
}

}  // namespace ingot::agent
