#include "base/dictionary.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <new>

namespace ingot::base {
namespace {

constexpr int level = 1;  // the dictionary does the work: higher levels gain a tenth and take twice the time

template <auto release>
struct Release {
  void operator()(auto* thing) const { release(thing); }
};
template <class T, auto release>
using Owned = std::unique_ptr<T, Release<release>>;

template <class T>
T* required(T* made) {
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

std::size_t checked(std::size_t result, std::string_view what) {
  if (ZSTD_isError(result)) throw Error(fmt::format("{}: {}", what, ZSTD_getErrorName(result)));
  return result;
}

}  // namespace

struct PackingMemory::Contexts {
  Owned<ZSTD_CCtx, ZSTD_freeCCtx> packing{required(ZSTD_createCCtx())};
  Owned<ZSTD_DCtx, ZSTD_freeDCtx> unpacking{required(ZSTD_createDCtx())};
  std::string room;
};

PackingMemory::PackingMemory() = default;
PackingMemory::~PackingMemory() = default;

PackingMemory::Contexts& PackingMemory::contexts() {
  if (!contexts_) contexts_ = std::make_unique<Contexts>();
  return *contexts_;
}

struct Dictionary::Tables {
  explicit Tables(std::string_view common)
      : forPacking(required(ZSTD_createCDict(common.data(), common.size(), level))),
        forUnpacking(required(ZSTD_createDDict(common.data(), common.size()))) {}
  Owned<ZSTD_CDict, ZSTD_freeCDict> forPacking;
  Owned<ZSTD_DDict, ZSTD_freeDDict> forUnpacking;
};

Dictionary::Dictionary(std::shared_ptr<PackingMemory> memory, std::string_view common)
    : memory_(std::move(memory)), tables_(std::make_unique<Tables>(common)) {}
Dictionary::~Dictionary() = default;

std::string Dictionary::pack(std::string_view text) const {
  if (!tables_->forPacking) throw Error("a dictionary that was replaced packs nothing more");
  auto& contexts = memory_->contexts();
  contexts.room.resize(ZSTD_compressBound(text.size()));
  const std::size_t size =
      checked(ZSTD_compress_usingCDict(contexts.packing.get(), contexts.room.data(), contexts.room.size(), text.data(),
                                       text.size(), tables_->forPacking.get()),
              "cannot pack an object");
  return contexts.room.substr(0, size);
}

std::string Dictionary::unpack(std::string_view packed, std::size_t size) const {
  std::string text(size, '\0');
  const std::size_t got =
      checked(ZSTD_decompress_usingDDict(memory_->contexts().unpacking.get(), text.data(), text.size(), packed.data(),
                                         packed.size(), tables_->forUnpacking.get()),
              "cannot unpack an object");
  if (got != size) throw Error("a packed object is not what it was");
  return text;
}

void Dictionary::retire() { tables_->forPacking.reset(); }

}  // namespace ingot::base
