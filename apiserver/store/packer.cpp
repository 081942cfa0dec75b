#include "apiserver/store/packer.hpp"

#include <algorithm>
#include <utility>

namespace ingot::apiserver {
namespace {

// The values of a Secret must not outlive it in a dictionary. Annotations hold them too: kubectl's apply keeps the
// whole manifest there.
std::string sampleOf(const Object& object, bool secret) {
  if (!secret) return object.body.text();
  json::Value document = documentOf(object);
  auto& members = document.as_object();
  members.erase("data");
  members.erase("stringData");
  json::makeObjectAt(document, {"metadata"}).erase("annotations");
  return json::serialize(document);
}

}  // namespace

struct Packer::Kind {
  bool secret = false;
  base::LearningDictionary dictionary;
};

Packer::Packer(PackerOptions options, base::Log log)
    : options_(options), log_(std::move(log)), memory_(std::make_shared<base::PackingMemory>()) {}
Packer::~Packer() = default;

void Packer::add(const std::string& resource, ObjectPtr object) {
  try {
    take(resource, std::move(object));
  } catch (const std::exception& problem) {  // it only saves room: no write may fail for it
    if (!std::exchange(complained_, true)) log_.warn("objects stay unpacked", {{"error", problem.what()}});
  }
}

void Packer::take(const std::string& resource, ObjectPtr object) {
  const std::size_t bytes = object->body.size();
  fresh_.push_back({&kindOf(resource), std::move(object)});
  freshBytes_ += bytes;
  while (fresh_.size() > options_.fresh || freshBytes_ > options_.freshBytes) {
    const Entry oldest = std::move(fresh_.front());
    fresh_.pop_front();
    freshBytes_ -= oldest.object->body.size();
    pack(oldest);
  }
}

Packer::Kind& Packer::kindOf(const std::string& resource) {
  auto& kind = kinds_[resource];
  if (!kind) kind = std::make_unique<Kind>(Kind{resource == "secrets", base::LearningDictionary(memory_)});
  return *kind;
}

void Packer::pack(const Entry& entry) {
  auto& dictionary = entry.kind->dictionary;
  dictionary.count();
  if (dictionary.wantsSamples()) dictionary.learn(samplesFor(entry));
  const bool lastHolder = entry.object.use_count() == 1;
  if (dictionary.current() && !lastHolder) entry.object->body.pack(dictionary.current());
}

// The newest objects of the kind, the very newest last; of large ones a part. At least the one that is to be packed.
std::string Packer::samplesFor(const Entry& entry) const {
  std::vector<std::string> samples;
  std::size_t room = options_.sampleBytes;
  const auto take = [&](const Object& object) {
    std::string sample = sampleOf(object, entry.kind->secret);
    sample.resize(std::min(sample.size(), room));
    room -= sample.size();
    samples.push_back(std::move(sample));
  };
  for (auto other = fresh_.rbegin(); other != fresh_.rend() && room > 0 && samples.size() < options_.samples; ++other)
    if (other->kind == entry.kind) take(*other->object);
  if (samples.empty()) take(*entry.object);
  std::string text;
  for (auto sample = samples.rbegin(); sample != samples.rend(); ++sample) text += *sample;
  return text;
}

}  // namespace ingot::apiserver
