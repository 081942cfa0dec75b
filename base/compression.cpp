#include "base/compression.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>
#include <new>

namespace ingot::base {
namespace {

constexpr int fast = 1, window = 21;  // 2 MiB: a piece finds its like anywhere in the text

std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result)) throw Error(fmt::format("compression: {}", ZSTD_getErrorName(result)));
  return result;
}

}  // namespace

std::string compressed(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  checked(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, fast));
  checked(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window));
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(checked(ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size())));
  out.shrink_to_fit();
  return out;
}

std::string decompressed(std::string_view packed, std::size_t size) {
  std::string text(size, '\0');
  const std::size_t got = checked(ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()));
  if (got != size) throw Error("compression: the text is not what it was");
  return text;
}

}  // namespace ingot::base
