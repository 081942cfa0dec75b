// A file to which records are appended, batch by batch. A batch is in it as a whole or not at all, whatever moment the
// machine dies in. Everything here blocks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ingot::agent {

class JournalFile {
 public:
  using Records = std::map<std::string, std::string>;               // the last value of each key
  using Batch = std::map<std::string, std::optional<std::string>>;  // nullopt: the key goes

  // Keys hold no blank and no line's end, values no line's end.
  explicit JournalFile(std::string path) : path_(std::move(path)) {}
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  struct Content {
    Records records;
    bool isDamaged = false;  // records that had been on the disk cannot be read (any more)
  };
  // What stands behind the last whole batch was never on the disk for sure, and is left out. Throws base::Error where
  // the file cannot be read at all.
  [[nodiscard]] Content read() const;

  // In place of all that was there. On the disk when it returns. Throws base::Error.
  void rewrite(const Records& records);
  // The same, behind what rewrite() and append() have written. After a failure the file has to be rewritten.
  void append(const Batch& batch);

  [[nodiscard]] std::uint64_t size() const { return size_; }  // 0 before rewrite()

 private:
  void open();
  void close();

  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;  // up to the end of the last batch
};

// The same of a text, for those who look at hostile ones.
[[nodiscard]] JournalFile::Content readJournalText(std::string_view text);

}  // namespace ingot::agent
