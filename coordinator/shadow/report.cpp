#include "coordinator/shadow/report.hpp"

#include "base/cut_text.hpp"

#include <ranges>

namespace ingot::coordinator::shadow {
namespace {

constexpr std::size_t kLongestValue = 200;

void addText(json::Object& object, std::string_view name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

void addValue(json::Object& object, std::string_view name, const std::optional<std::string>& value) {
  if (value) object[name] = value->size() > kLongestValue ? base::cutText(*value, kLongestValue) : *value;
}

json::Object documentOf(const Difference::Field& field) {
  json::Object out{{"path", field.path}};
  addValue(out, "was", field.was);
  addValue(out, "theirs", field.theirs);
  addValue(out, "ours", field.ours);
  return out;
}

json::Array countsOf(const Book& book) {
  json::Array out;
  for (const auto& [what, count] : book.counts())
    out.push_back(json::Object{{"controller", what.first}, {"outcome", nameOf(what.second)}, {"count", count}});
  return out;
}

json::Array othersOf(const Book& book) {
  json::Array out;
  for (const auto& [manager, count] : book.others())
    out.push_back(json::Object{{"manager", manager}, {"count", count}});
  return out;
}

json::Object documentOf(const Asked& asked) {
  return {{"firstTime", base::formatTime(asked.first)},
          {"lastTime", base::formatTime(asked.last)},
          {"times", asked.times},
          {"method", asked.method},
          {"what", asked.what}};
}

template <class T>
json::Array documentsOf(const std::deque<T>& all) {
  json::Array out;
  for (const T& each : std::views::reverse(all)) out.push_back(documentOf(each));
  return out;
}

}  // namespace

json::Object documentOf(const Difference& difference) {
  json::Object object{{"resource", difference.object.resource}, {"name", difference.object.key.name}};
  addText(object, "kind", difference.kind);
  addText(object, "namespace", difference.object.key.namespace_);
  addText(object, "cluster", difference.object.cluster);
  addText(object, "resourceVersion", difference.version);
  json::Object out{{"time", base::formatTime(difference.at)},
                   {"outcome", nameOf(difference.outcome)},
                   {"controller", difference.controller},
                   {"object", std::move(object)}};
  addText(out, "manager", difference.manager);
  addText(out, "reason", difference.reason);
  json::Array fields;
  for (const auto& field : difference.fields) fields.push_back(documentOf(field));
  out["fields"] = std::move(fields);
  if (difference.leftOut != 0) out["fieldsLeftOut"] = difference.leftOut;
  return out;
}

json::Object reportOf(const Book& book, const std::deque<Asked>& asked, Reported when) {
  json::Array differences;
  for (const auto& each : std::views::reverse(book.differences())) differences.push_back(documentOf(each));
  return {{"kind", "ShadowReport"},
          {"apiVersion", "shadow.ingot.dev/v1alpha1"},
          {"since", base::formatTime(when.since)},
          {"time", base::formatTime(when.now)},
          {"pending", book.pending()},
          {"dropped", book.dropped()},
          {"notKept", book.notKept()},
          {"versionsBegunAnew", book.begunAnew()},
          {"counts", countsOf(book)},
          {"otherManagers", othersOf(book)},
          {"otherManagersLeftOut", book.othersLeftOut()},
          {"differences", std::move(differences)},
          {"ironic", documentsOf(asked)}};
}

}  // namespace ingot::coordinator::shadow
