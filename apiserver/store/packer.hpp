// Packs the texts of objects that have not been written for a while: so many later writes exist that every follower has
// read them. Every kind gets dictionaries of its own, learnt from its objects. They are renewed while a kind grows,
// since its first objects are not typical yet.
#pragma once

#include "apiserver/store/object.hpp"
#include "base/learning_dictionary.hpp"
#include "base/log.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace ingot::apiserver {

struct PackerOptions {
  std::size_t fresh = 256;             // objects that stay as they are …
  std::size_t freshBytes = 1 << 20;    // … and the bytes of their texts
  std::size_t samples = 24;            // objects that a dictionary is made of …
  std::size_t sampleBytes = 24 << 10;  // … and their bytes, at most
};

class Packer {
 public:
  explicit Packer(PackerOptions options = {}, base::Log log = base::Log::silent());
  ~Packer();

  // `object` is durable: nobody but the loop thread reads it from now on. Never throws: what cannot be packed stays as
  // it is.
  void add(const std::string& resource, ObjectPtr object);

 private:
  struct Kind;
  struct Entry {
    Kind* kind;
    ObjectPtr object;
  };
  void take(const std::string& resource, ObjectPtr object);
  [[nodiscard]] Kind& kindOf(const std::string& resource);
  void pack(const Entry& entry);
  [[nodiscard]] std::string samplesFor(const Entry& entry) const;

  PackerOptions options_;
  base::Log log_;
  bool complained_ = false;
  std::shared_ptr<base::PackingMemory> memory_;
  std::map<std::string, std::unique_ptr<Kind>> kinds_;
  std::deque<Entry> fresh_;  // oldest first
  std::size_t freshBytes_ = 0;
};

}  // namespace ingot::apiserver
