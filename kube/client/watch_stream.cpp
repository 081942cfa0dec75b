// Framing of a watch: one JSON document a line (spec/kubernetes-api.md §6.3).
#include "kube/client/api.hpp"
#include "kube/client/documents.hpp"
#include "kube/client/transport_error.hpp"

namespace ingot::kube {
namespace {

constexpr std::size_t kLevelOfObject = 2;
constexpr int kMostBlankLines = 100;  // between two events; no API server sends any

bool isBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

WatchEvent::Type typeOf(std::string_view text) {
  if (text == "ADDED") return WatchEvent::Type::added;
  if (text == "MODIFIED") return WatchEvent::Type::modified;
  if (text == "DELETED") return WatchEvent::Type::deleted;
  if (text == "BOOKMARK") return WatchEvent::Type::bookmark;
  if (text == "ERROR") return WatchEvent::Type::error;
  throw Error(Error::Code::badAnswer, fmt::format("watch: unknown event type \"{}\"", text));
}

WatchEvent parseEvent(std::string_view line) {
  try {
    auto [event, hasStubs] = parseObjects(line, kLevelOfObject, line.size());
    const WatchEvent::Type type = typeOf(json::textAt(event, {"type"}));
    json::Value* object = event.is_object() ? event.get_object().if_contains("object") : nullptr;
    const bool isTooDeep = object && hasStubs && takeStub(*object);
    if (!object || !object->is_object()) throw Error(Error::Code::badAnswer, "watch: an event without an object");
    return {type, std::move(*object), isTooDeep};
  } catch (const json::ParseError& e) {
    throw Error(Error::Code::badAnswer, std::string("watch: a line is not JSON: ") + e.what());
  }
}

}  // namespace

base::Task<std::optional<WatchEvent>> WatchStream::next(base::Duration idle) {
  try {
    for (int blank = 0;;) {
      const auto line = takeLine();
      if (line && isBlank(*line)) {
        if (++blank > kMostBlankLines) throw Error(Error::Code::badAnswer, "watch: nothing but blank lines");
        continue;
      }
      if ((line ? line->size() : pending_.size()) > lineLimit_)
        throw Error(Error::Code::badAnswer, "watch: a line is too long");
      if (line) co_return parseEvent(*line);
      auto piece = co_await stream_->next(idle);
      if (!piece && begin_ < pending_.size()) throw Error(Error::Code::interrupted, "watch: ended within a line");
      if (!piece) co_return std::nullopt;
      pending_ += *piece;
    }
  } catch (const net::HttpError& e) {
    throw errorFrom(e, "watch");
  }
}

std::optional<std::string> WatchStream::takeLine() {
  if (const auto end = pending_.find('\n', std::max(begin_, searched_)); end != std::string::npos) {
    std::string line = pending_.substr(begin_, end - begin_);
    begin_ = searched_ = end + 1;
    return line;
  }
  pending_.erase(0, begin_);
  begin_ = 0;
  searched_ = pending_.size();
  return std::nullopt;
}

}  // namespace ingot::kube
