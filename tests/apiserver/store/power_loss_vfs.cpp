#include "tests/apiserver/store/power_loss_vfs.hpp"

#include <sqlite3.h>

#include <cstring>

namespace ingot::apiserver::tests {
namespace {

struct VfsFile {
  sqlite3_file base;
  PowerLossDisk* disk;
  std::string* path;
  bool syncsFolder;  // as SQLite's own files of Unix do: the first sync of a new log or rollback journal
};

VfsFile& cast(sqlite3_file* file) { return *reinterpret_cast<VfsFile*>(file); }

int code(PowerLossDisk::Answer answer, int failure) {
  switch (answer) {
    case PowerLossDisk::Answer::done: return SQLITE_OK;
    case PowerLossDisk::Answer::dead: return failure;
    case PowerLossDisk::Answer::full: return SQLITE_FULL;
  }
  std::unreachable();
}

int closeFile(sqlite3_file* file) {
  delete cast(file).path;
  return SQLITE_OK;
}

int readFile(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
  const auto& f = cast(file);
  const auto data = f.disk->read(*f.path, static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  std::memcpy(into, data.data(), data.size());
  if (data.size() == static_cast<std::size_t>(size)) return SQLITE_OK;
  std::memset(static_cast<char*>(into) + data.size(), 0, static_cast<std::size_t>(size) - data.size());
  return SQLITE_IOERR_SHORT_READ;
}

int writeFile(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  const auto& f = cast(file);
  return code(f.disk->write(*f.path, static_cast<std::size_t>(offset),
                            {static_cast<const char*>(from), static_cast<std::size_t>(size)}),
              SQLITE_IOERR_WRITE);
}

int truncateFile(sqlite3_file* file, sqlite3_int64 size) {
  const auto& f = cast(file);
  return code(f.disk->truncate(*f.path, static_cast<std::size_t>(size)), SQLITE_IOERR_TRUNCATE);
}

int syncFile(sqlite3_file* file, int) {
  auto& f = cast(file);
  return code(f.disk->sync(*f.path, std::exchange(f.syncsFolder, false)), SQLITE_IOERR_FSYNC);
}

int fileSize(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(cast(file).disk->sizeOf(*cast(file).path));
  return SQLITE_OK;
}

int noLock(sqlite3_file*, int) { return SQLITE_OK; }
int isReserved(sqlite3_file*, int* result) {
  *result = 0;
  return SQLITE_OK;
}
int control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sectorSize(sqlite3_file*) { return 512; }
int characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

// Version 1: no shared memory, so the WAL index stays in the process (exclusive locking).
constexpr sqlite3_io_methods methods = {
    1,       closeFile,  readFile,        writeFile, truncateFile, syncFile, fileSize, noLock,  noLock, isReserved,
    control, sectorSize, characteristics, nullptr,   nullptr,      nullptr,  nullptr,  nullptr, nullptr};

PowerLossDisk& diskOf(sqlite3_vfs* vfs) { return *static_cast<PowerLossDisk*>(vfs->pAppData); }

int openFile(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* outFlags) {
  auto& f = cast(file);
  f.base.pMethods = nullptr;
  auto& disk = diskOf(vfs);
  const std::string name = path ? path : "temporary";
  const bool isNew = !disk.exists(name);
  if (disk.dead() || (isNew && disk.create(name) != PowerLossDisk::Answer::done)) return SQLITE_CANTOPEN;
  f.disk = &disk;
  f.path = new std::string(name);
  f.syncsFolder = isNew && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  f.base.pMethods = &methods;
  if (outFlags) *outFlags = flags;
  return SQLITE_OK;
}

int removeFile(sqlite3_vfs* vfs, const char* path, int syncFolder) {
  if (!diskOf(vfs).exists(path)) return SQLITE_IOERR_DELETE_NOENT;
  return code(diskOf(vfs).remove(path, syncFolder != 0), SQLITE_IOERR_DELETE);
}

int accessFile(sqlite3_vfs* vfs, const char* path, int, int* result) {
  *result = diskOf(vfs).exists(path) ? 1 : 0;
  return SQLITE_OK;
}

int fullPath(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}

sqlite3_vfs* systemVfs() { return sqlite3_vfs_find(nullptr); }
int randomness(sqlite3_vfs*, int n, char* out) { return systemVfs()->xRandomness(systemVfs(), n, out); }
int sleepFor(sqlite3_vfs*, int micros) { return micros; }
int currentTime(sqlite3_vfs*, double* now) { return systemVfs()->xCurrentTime(systemVfs(), now); }
int lastError(sqlite3_vfs*, int, char*) { return 0; }

void applyTo(std::string& content, const PowerLossDisk::Write& write) {
  if (write.truncation) {
    content.resize(write.offset, '\0');
    return;
  }
  if (content.size() < write.offset + write.data.size()) content.resize(write.offset + write.data.size(), '\0');
  content.replace(write.offset, write.data.size(), write.data);
}

}  // namespace

PowerLossDisk::PowerLossDisk() : name_(fmt::format("power-loss-{}", static_cast<const void*>(this))) {
  auto* vfs = new sqlite3_vfs{};
  vfs->iVersion = 1;
  vfs->szOsFile = sizeof(VfsFile);
  vfs->mxPathname = 1024;
  vfs->zName = name_.c_str();
  vfs->pAppData = this;
  vfs->xOpen = openFile;
  vfs->xDelete = removeFile;
  vfs->xAccess = accessFile;
  vfs->xFullPathname = fullPath;
  vfs->xRandomness = randomness;
  vfs->xSleep = sleepFor;
  vfs->xCurrentTime = currentTime;
  vfs->xGetLastError = lastError;
  sqlite3_vfs_register(vfs, 0);
}

PowerLossDisk::~PowerLossDisk() {
  auto* vfs = sqlite3_vfs_find(name_.c_str());
  sqlite3_vfs_unregister(vfs);
  delete vfs;
}

void PowerLossDisk::cutAfter(std::uint64_t operations, std::string suffix) {
  const std::lock_guard lock(mutex_);
  left_ = operations;
  counted_ = std::move(suffix);
}

bool PowerLossDisk::dead() const {
  const std::lock_guard lock(mutex_);
  return dead_;
}

std::string PowerLossDisk::diedAt() const {
  const std::lock_guard lock(mutex_);
  return diedAt_;
}

bool PowerLossDisk::countOperation(const std::string& path) {
  if (!dead_ && left_ && path.ends_with(counted_) && (*left_)-- == 0) {
    dead_ = true;
    diedAt_ = path;
  }
  return !dead_;
}

void PowerLossDisk::restore(base::Random& random) {
  const std::lock_guard lock(mutex_);
  for (auto& [path, file] : files_) {
    for (auto& write : file.pending) {
      switch (random.below(3)) {
        case 0: break;  // never reached the platter
        case 1: applyTo(file.synced, write); break;
        default:  // torn: only some of its sectors
          if (write.truncation) break;
          for (std::size_t at = 0; at < write.data.size(); at += 512) {
            if (random.below(2)) applyTo(file.synced, {write.offset + at, write.data.substr(at, 512)});
          }
      }
    }
    file.pending.clear();
    file.content = file.synced;
  }
  namesLost_ += static_cast<int>(
      std::erase_if(files_, [&](const auto& entry) { return !entry.second.named && random.below(2) == 0; }));
  for (auto& [path, file] : removed_) {
    file.pending.clear();
    file.content = file.synced;
    if (random.below(2) == 0) files_.try_emplace(path, std::move(file));
  }
  syncFolder();
  dead_ = false;
  left_.reset();
}

void PowerLossDisk::syncFolder() {
  for (auto& [path, file] : files_) file.named = true;
  removed_.clear();
}

void PowerLossDisk::limit(std::optional<std::size_t> bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
}

std::size_t PowerLossDisk::size() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [path, file] : files_) bytes += file.content.size();
  return bytes;
}

PowerLossDisk::Answer PowerLossDisk::write(const std::string& path, std::size_t offset, std::string_view data) {
  const std::lock_guard lock(mutex_);
  if (!countOperation(path)) {
    // The write that the power went in may still be half done.
    files_[path].pending.push_back({offset, std::string(data)});
    return Answer::dead;
  }
  auto& file = files_[path];
  std::size_t others = 0;
  for (const auto& [name, f] : files_) others += f.content.size();
  if (limit_ && offset + data.size() > file.content.size() &&
      others + offset + data.size() - file.content.size() > *limit_) {
    return Answer::full;
  }
  file.pending.push_back({offset, std::string(data)});
  applyTo(file.content, file.pending.back());
  return Answer::done;
}

PowerLossDisk::Answer PowerLossDisk::truncate(const std::string& path, std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (!countOperation(path)) return Answer::dead;
  auto& file = files_[path];
  file.pending.push_back({size, "", true});
  applyTo(file.content, file.pending.back());
  return Answer::done;
}

PowerLossDisk::Answer PowerLossDisk::sync(const std::string& path, bool withFolder) {
  const std::lock_guard lock(mutex_);
  if (!countOperation(path)) return Answer::dead;
  auto& file = files_[path];
  file.synced = file.content;
  file.pending.clear();
  if (withFolder) syncFolder();
  return Answer::done;
}

std::string PowerLossDisk::read(const std::string& path, std::size_t offset, std::size_t size) const {
  const std::lock_guard lock(mutex_);
  const auto at = files_.find(path);
  if (at == files_.end() || offset >= at->second.content.size()) return {};
  return at->second.content.substr(offset, size);
}

std::size_t PowerLossDisk::sizeOf(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto at = files_.find(path);
  return at == files_.end() ? 0 : at->second.content.size();
}

bool PowerLossDisk::exists(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return files_.contains(path);
}

PowerLossDisk::Answer PowerLossDisk::create(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (!countOperation(path)) return Answer::dead;
  files_.try_emplace(path);
  return Answer::done;
}

PowerLossDisk::Answer PowerLossDisk::remove(const std::string& path, bool withFolder) {
  const std::lock_guard lock(mutex_);
  if (!countOperation(path)) return Answer::dead;
  if (auto file = files_.extract(path); file && file.mapped().named) removed_.insert(std::move(file));
  if (withFolder) syncFolder();
  return Answer::done;
}

}  // namespace ingot::apiserver::tests
