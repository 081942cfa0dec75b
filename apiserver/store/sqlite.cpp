#include "apiserver/store/sqlite.hpp"

#include <sqlite3.h>

namespace ingot::apiserver::sqlite {
namespace {

[[noreturn]] void fail(sqlite3* database, int code) {
  throw Error(database ? sqlite3_extended_errcode(database) : code,
              database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
}

void check(sqlite3* database, int code) {
  if (code != SQLITE_OK) fail(database, code);
}

}  // namespace

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  check(database_, sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::bind(int index, std::int64_t value) { check(database_, sqlite3_bind_int64(statement_, index, value)); }

void Statement::bind(int index, std::string_view text) {
  check(database_, sqlite3_bind_text64(statement_, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const Error error(sqlite3_extended_errcode(database_), sqlite3_errmsg(database_));
  reset();
  throw error;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() { sqlite3_reset(statement_); }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))) : std::string();
}

Database::Database(const std::string& path, const std::string& vfs) {
  // One thread at a time uses the connection, handed over under the committer's lock.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &database_, flags, vfs.empty() ? nullptr : vfs.c_str());
  if (code == SQLITE_OK) return;
  const Error error(code, database_ ? sqlite3_errmsg(database_) : sqlite3_errstr(code));
  sqlite3_close_v2(database_);
  throw error;
}

Database::~Database() { sqlite3_close_v2(database_); }

void Database::execute(const char* sql) { check(database_, sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }

std::string Database::value(const char* sql) {
  Statement statement(database_, sql);
  return statement.step() ? statement.text(0) : std::string();
}

bool Database::inTransaction() const { return sqlite3_get_autocommit(database_) == 0; }

}  // namespace ingot::apiserver::sqlite
