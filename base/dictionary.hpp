// A dictionary holds what many texts have in common and packs single texts by it (zstd). A text packed with a
// dictionary takes as little room as in one long file of such texts, and can still be read alone.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace ingot::base {

// The working memory of packing and unpacking, shared by the dictionaries of one thread.
class PackingMemory {
 public:
  PackingMemory();
  ~PackingMemory();
  PackingMemory(const PackingMemory&) = delete;
  PackingMemory& operator=(const PackingMemory&) = delete;

 private:
  friend class Dictionary;
  struct Contexts;
  [[nodiscard]] Contexts& contexts();  // made when they are first needed
  std::unique_ptr<Contexts> contexts_;
};

class Dictionary {
 public:
  // `common`: texts as they typically are, one after the other, the most typical last.
  Dictionary(std::shared_ptr<PackingMemory> memory, std::string_view common);
  ~Dictionary();
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  [[nodiscard]] std::string pack(std::string_view text) const;
  // `size`: of the text. Throws Error when `packed` was not made by this dictionary.
  [[nodiscard]] std::string unpack(std::string_view packed, std::size_t size) const;

  // A newer one packs from now on; this one only unpacks what it packed.
  void retire();

 private:
  struct Tables;
  std::shared_ptr<PackingMemory> memory_;
  std::unique_ptr<Tables> tables_;
};

using DictionaryPtr = std::shared_ptr<const Dictionary>;

}  // namespace ingot::base
