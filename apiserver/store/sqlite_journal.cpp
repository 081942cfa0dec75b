// Objects in one SQLite table. WAL with synchronous=FULL: a commit returns after the log was synced. Exclusive locking
// keeps the WAL index in our memory (no .shm file), and the folder's lock keeps every other process out.
#include "apiserver/store/data_folder.hpp"
#include "apiserver/store/journal.hpp"
#include "apiserver/store/sqlite.hpp"

#include <sqlite3.h>

#include <set>

namespace ingot::apiserver {
namespace {

constexpr std::int64_t schemaVersion = 1;
constexpr std::int64_t applicationId = 0x494e474f;  // "INGO"

constexpr const char* settings = R"(
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
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
// Rows that could not be read at a start. Each start tries them again, and an operator can inspect them with sqlite3.
constexpr const char* unreadableTable = R"(
CREATE TABLE IF NOT EXISTS unreadable (
  id INTEGER PRIMARY KEY,
  resource TEXT NOT NULL, space TEXT NOT NULL, name TEXT NOT NULL,
  body TEXT NOT NULL,
  since TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
)";
static_assert(applicationId == 1229866831);

constexpr const char* noSpace = "no space left on the disk of the data folder";

bool saysFull(const sqlite::Error& error) { return (error.code() & 0xff) == SQLITE_FULL; }

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

  Loaded load(const Each& each, std::uint64_t leastTerm) override {
    Loaded loaded;
    const Moves moves = read(each, loaded.unreadable);
    countTerm(leastTerm);
    loaded.moved = carryOut(moves);
    prepareForgetting();
    loaded.revision = std::stoll(database_->value("SELECT value FROM counters WHERE name = 'revision'"));
    loaded.term = std::stoull(database_->value("SELECT value FROM counters WHERE name = 'term'"));
    return loaded;
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

  // Rows that are in the wrong table, by id.
  struct Moves {
    std::vector<std::int64_t> aside, back;
    [[nodiscard]] bool empty() const { return aside.empty() && back.empty(); }
  };

  [[nodiscard]] bool hasUnreadableTable() const {
    return database_->value("SELECT count(*) FROM sqlite_master WHERE name = 'unreadable'") != "0";
  }

  Moves read(const Each& each, std::vector<Name>& unreadable) {
    Moves moves;
    std::set<Name> aside;
    sqlite::Statement rows(handle(), "SELECT id, resource, space, name, body FROM objects");
    while (rows.step()) {
      Name name{rows.text(1), {rows.text(2), rows.text(3)}};
      if (each(name.first, name.second, rows.text(4))) continue;
      moves.aside.push_back(rows.integer(0));
      aside.insert(std::move(name));
    }
    if (hasUnreadableTable()) retry(each, moves, aside);
    unreadable.assign(aside.begin(), aside.end());
    return moves;
  }

  // Tries the newest row of each name, unless another object of that name exists by now.
  void retry(const Each& each, Moves& moves, std::set<Name>& aside) {
    std::set<Name> back;
    sqlite::Statement rows(handle(),
                           "SELECT id, resource, space, name, body, EXISTS (SELECT 1 FROM objects o WHERE "
                           "o.resource = u.resource AND o.space = u.space AND o.name = u.name) "
                           "FROM unreadable u ORDER BY id DESC");
    while (rows.step()) {
      Name name{rows.text(1), {rows.text(2), rows.text(3)}};
      const bool known = rows.integer(5) != 0 || aside.contains(name) || back.contains(name);
      if (!known && each(name.first, name.second, rows.text(4))) {
        moves.back.push_back(rows.integer(0));
        back.insert(std::move(name));
      } else if (!back.contains(name)) {
        aside.insert(std::move(name));
      }
    }
  }

  // False: the disk is full. Nothing is lost, because the next opening moves the rows.
  bool carryOut(const Moves& moves) {
    if (moves.empty()) return true;
    try {
      move(moves);
      return true;
    } catch (const sqlite::Error& e) {
      rollback();
      if (!saysFull(e) || failed_) throw;
      return false;
    }
  }

  void move(const Moves& moves) {
    begin_.run();
    database_->execute(unreadableTable);
    moveRows(moves.aside, "objects", "unreadable");
    moveRows(moves.back, "unreadable", "objects");
    commit_.run();
  }

  void moveRows(const std::vector<std::int64_t>& rows, std::string_view from, std::string_view to) {
    sqlite::Statement keep(handle(), fmt::format("INSERT INTO {} (resource, space, name, body) "
                                                 "SELECT resource, space, name, body FROM {} WHERE id = ?1",
                                                 to, from));
    sqlite::Statement drop(handle(), fmt::format("DELETE FROM {} WHERE id = ?1", from));
    for (const auto id : rows) {
      keep.bind(1, id);
      keep.run();
      drop.bind(1, id);
      drop.run();
    }
  }

  void prepareForgetting() {
    if (hasUnreadableTable())
      forget_ = std::make_unique<sqlite::Statement>(
          handle(), "DELETE FROM unreadable WHERE resource = ?1 AND space = ?2 AND name = ?3");
  }

  void countTerm(std::uint64_t least) {
    const auto stored = std::stoull(database_->value("SELECT value FROM counters WHERE name = 'term'"));
    try {
      sqlite::Statement count(handle(), "UPDATE counters SET value = ?1 WHERE name = 'term'");
      count.bind(1, static_cast<std::int64_t>(termAfter(stored, least)));
      count.run();
    } catch (const sqlite::Error& e) {
      if (saysFull(e)) throw base::Error(noSpace);
      throw;
    }
  }

  void store(const Change& change) {
    auto& statement = change.object ? put_ : erase_;
    bindName(statement, change);
    std::string room;
    if (change.object) statement.bind(4, change.object->body.view(room));
    statement.run();
    if (change.object || !forget_) return;
    bindName(*forget_, change);
    forget_->run();
  }

  static void bindName(sqlite::Statement& statement, const Change& change) {
    statement.bind(1, change.resource);
    statement.bind(2, change.key.space);
    statement.bind(3, change.key.name);
  }

  // A full disk says so before anything is durable, and heals. Any other failure may have come from the sync itself,
  // after which the kernel no longer knows what reached the disk: stop until a restart has read it back.
  [[noreturn]] void refuse(const sqlite::Error& error) {
    rollback();
    if (saysFull(error) && !failed_) throw JournalError(JournalError::Code::full, noSpace);
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
  std::unique_ptr<sqlite::Statement> forget_;  // where there is something to forget
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
    database->execute(fmt::format("PRAGMA wal_autocheckpoint = {};", options.checkpointPages).c_str());
    checkHealth(*database, path);
    checkSchema(*database, path);
    folder.sync();
    return std::make_unique<SqliteJournal>(std::move(folder), std::move(database));
  } catch (const sqlite::Error& e) {
    throw base::Error(fmt::format("cannot open the database {}: {}", path, saysFull(e) ? noSpace : e.what()));
  }
}

}  // namespace ingot::apiserver
