#include "coordinator/caches/lasting_errors.hpp"

#include "base/cut_text.hpp"

namespace ingot::coordinator {

std::optional<std::string> LastingErrors::tell(const kube::ObjectMeta& object, std::string_view step,
                                               std::string_view error, base::MonoTime now, base::Duration wait) {
  Lasting& lasting = errors_[object.key()];
  if (lasting.uid != object.uid) lasting = {.uid = object.uid, .since = now};
  if (now - lasting.since < wait) return std::nullopt;
  const bool isTold = !lasting.step.empty(), isHere = lasting.step == step;
  const base::Duration rest = isHere ? kOtherWords : kErrorWait;
  if (isTold && now - lasting.told < rest) return isHere ? std::optional(lasting.text) : std::nullopt;
  std::string text = base::cutText(error, kLongestError);
  if (isHere && lasting.text == text) return text;  // other words are told at once
  lasting.told = now;
  lasting.step = step;
  lasting.text = std::move(text);
  return lasting.text;
}

std::optional<std::string> LastingErrors::tellNews(const kube::ObjectMeta& object, std::string_view error,
                                                   base::MonoTime now, base::Duration wait) {
  const auto known = errors_.find(object.key());
  const bool isKnown = known != errors_.end() && known->second.uid == object.uid;
  const std::string before = isKnown ? known->second.text : "";
  auto text = tell(object, "pass", error, now, wait);
  return text == before ? std::nullopt : text;
}

}  // namespace ingot::coordinator
