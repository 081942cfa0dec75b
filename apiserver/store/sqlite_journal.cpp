// Objects in one SQLite table. WAL with synchronous=FULL: a commit returns after the log was synced. Exclusive locking
// keeps the WAL index in our memory (no .shm file), and the folder's lock keeps every other process out.
#include "apiserver/store/data_folder.hpp"
#include "apiserver/store/journal.hpp"
#include "apiserver/store/sqlite.hpp"

#include <sqlite3.h>

namespace ingot::apiserver {
namespace {

constexpr std::int64_t schemaVersion = 1;
constexpr std::int64_t applicationId = 0x494e474f;  // "INGO"

constexpr const char* settings = R"(
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 2000;
PRAGMA journal_size_limit = 33554432;
PRAGMA cache_size = -2000;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
)";

constexpr const char* schema = R"(
BEGIN IMMEDIATE;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE objects (
  id INTEGER PRIMARY KEY,
  resource TEXT NOT NULL, space TEXT NOT NULL, name TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (resource, space, name));
INSERT INTO counters VALUES ('revision', 0), ('term', 0);
PRAGMA application_id = 1229866831;
PRAGMA user_version = 1;
COMMIT;
)";
static_assert(applicationId == 1229866831);

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(DataFolder folder, std::unique_ptr<sqlite::Database> database)
      : folder_(std::move(folder)),
        database_(std::move(database)),
        begin_(handle(), "BEGIN IMMEDIATE"),
        commit_(handle(), "COMMIT"),
        rollback_(handle(), "ROLLBACK"),
        put_(handle(),
             "INSERT INTO objects (resource, space, name, body) VALUES (?1, ?2, ?3, ?4) "
             "ON CONFLICT (resource, space, name) DO UPDATE SET body = excluded.body"),
        erase_(handle(), "DELETE FROM objects WHERE resource = ?1 AND space = ?2 AND name = ?3"),
        count_(handle(), "UPDATE counters SET value = ?1 WHERE name = 'revision'") {}

  Loaded load(const std::function<void(std::string, std::string)>& each) override {
    sqlite::Statement rows(handle(), "SELECT resource, body FROM objects");
    while (rows.step()) each(rows.text(0), rows.text(1));
    database_->execute("UPDATE counters SET value = value + 1 WHERE name = 'term'");
    return {std::stoll(database_->value("SELECT value FROM counters WHERE name = 'revision'")),
            std::stoull(database_->value("SELECT value FROM counters WHERE name = 'term'"))};
  }

  void commit(std::span<const Change> batch) override {
    if (failed_) throw JournalError(JournalError::Code::failed, *failed_);
    try {
      begin_.run();
      for (const auto& change : batch) store(change);
      count_.bind(1, batch.back().revision);
      count_.run();
      commit_.run();
    } catch (const sqlite::Error& e) {
      refuse(e);
    }
  }

 private:
  sqlite3* handle() const { return database_->handle(); }

  void store(const Change& change) {
    auto& statement = change.object ? put_ : erase_;
    statement.bind(1, change.resource);
    statement.bind(2, change.key.space);
    statement.bind(3, change.key.name);
    if (change.object) statement.bind(4, change.object->body);
    statement.run();
  }

  // A full disk says so before anything is durable, and heals. Any other failure may have come from the sync itself,
  // after which the kernel no longer knows what reached the disk: stop until a restart has read it back.
  [[noreturn]] void refuse(const sqlite::Error& error) {
    rollback();
    if ((error.code() & 0xff) == SQLITE_FULL && !failed_) {
      throw JournalError(JournalError::Code::full, "no space left on the disk of the data folder");
    }
    if (!failed_) failed_ = fmt::format("the database failed ({}): restart to recover", error.what());
    throw JournalError(JournalError::Code::failed, *failed_);
  }

  void rollback() {
    if (!database_->inTransaction()) return;
    try {
      rollback_.run();
    } catch (const sqlite::Error& e) {
      failed_ = fmt::format("the database cannot roll back ({}): restart to recover", e.what());
    }
  }

  DataFolder folder_;
  std::unique_ptr<sqlite::Database> database_;
  sqlite::Statement begin_, commit_, rollback_, put_, erase_, count_;
  std::optional<std::string> failed_;
};

void checkHealth(sqlite::Database& database, const std::string& path) {
  const std::string verdict = database.value("PRAGMA quick_check(1)");
  if (verdict != "ok") throw base::Error(fmt::format("the database {} is damaged: {}", path, verdict));
}

void checkSchema(sqlite::Database& database, const std::string& path) {
  const auto version = std::stoll(database.value("PRAGMA user_version"));
  if (version == 0 && database.value("SELECT count(*) FROM sqlite_master") == "0") {
    database.execute(schema);
    return;
  }
  if (std::stoll(database.value("PRAGMA application_id")) != applicationId) {
    throw base::Error(fmt::format("{} is a database of another program", path));
  }
  if (version > schemaVersion) {
    throw base::Error(
        fmt::format("{} was written by a newer Ingot (schema {}, this one knows {})", path, version, schemaVersion));
  }
}

}  // namespace

std::unique_ptr<Journal> openSqliteJournal(const std::string& dataFolder, SqliteOptions options) {
  DataFolder folder(dataFolder);
  const std::string path = folder.privateFile("ingot.db");
  try {
    auto database = std::make_unique<sqlite::Database>(path, options.vfs);
    database->execute(settings);
    checkHealth(*database, path);
    checkSchema(*database, path);
    folder.sync();
    return std::make_unique<SqliteJournal>(std::move(folder), std::move(database));
  } catch (const sqlite::Error& e) {
    throw base::Error(fmt::format("cannot open the database {}: {}", path, e.what()));
  }
}

}  // namespace ingot::apiserver
