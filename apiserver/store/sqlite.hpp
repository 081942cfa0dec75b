// The few SQLite calls that the journal needs, owned and checked. Only .cpp files of this folder include it.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace ingot::apiserver::sqlite {

class Error final : public base::Error {
 public:
  Error(int code, const std::string& text) : base::Error(text), code_(code) {}
  [[nodiscard]] int code() const { return code_; }  // extended result code

 private:
  int code_;
};

class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Texts must live until the statement was run.
  void bind(int index, std::int64_t value);
  void bind(int index, std::string_view text);
  void run();                 // no rows wanted; ready for the next run
  [[nodiscard]] bool step();  // true: a row is there
  void reset();
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

class Database {
 public:
  // The file must exist when `vfs` is empty (the caller decides its mode).
  Database(const std::string& path, const std::string& vfs);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  [[nodiscard]] std::string value(const char* sql);  // first column of the first row, "" without rows
  [[nodiscard]] sqlite3* handle() const { return database_; }
  [[nodiscard]] bool inTransaction() const;

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace ingot::apiserver::sqlite
