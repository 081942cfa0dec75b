// Field selectors, "metadata.name=x,involvedObject.kind!=y"; label selectors are kube/core/label_query.cpp.
#include "apiserver/registry/selectors.hpp"
#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {
namespace {

const std::vector<std::string>* pathOf(std::string_view label, const ResourceInfo& info) {
  static const std::vector<std::string> name{"metadata", "name"}, space{"metadata", "namespace"};
  if (label == "metadata.name") return &name;
  if (label == "metadata.namespace" && info.namespaced) return &space;
  for (const auto& field : info.selectableFields) {
    if (field.label == label) return &field.path;
  }
  return nullptr;
}

std::string valueAt(const json::Value& document, const std::vector<std::string>& path) {
  const json::Value* at = &document;
  for (const auto& step : path) {
    if (!at->is_object()) return {};
    at = at->get_object().if_contains(step);
    if (!at) return {};
  }
  if (at->is_string()) return std::string(at->get_string());
  return at->is_null() ? std::string() : json::serialize(*at);
}

// A value may escape , = and \ by a backslash.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

std::vector<std::string_view> splitTerms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '\\')
      ++i;
    else if (i == text.size() || text[i] == ',') {
      if (i > start) terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  return terms;
}

}  // namespace

FieldSelector FieldSelector::parse(std::string_view text, const ResourceInfo& info) {
  FieldSelector selector;
  for (const auto term : splitTerms(text)) {
    const auto sign = term.find('=');
    if (sign == std::string_view::npos) {
      throw badRequest(fmt::format("invalid selector: '{}'; can't understand '{}'", text, term));
    }
    const bool unequal = sign > 0 && term[sign - 1] == '!';
    const auto label = term.substr(0, unequal ? sign - 1 : sign);
    auto value = term.substr(sign + 1);
    if (!unequal && value.starts_with('=')) value.remove_prefix(1);
    const auto* path = pathOf(label, info);
    if (!path) throw badRequest(fmt::format("field label not supported: {}", label));
    selector.terms_.push_back({std::string(label), *path, unescaped(value), !unequal});
  }
  return selector;
}

bool FieldSelector::matches(const Object& object) const {
  std::optional<json::Value> document;  // read only when a term needs it
  const auto actual = [&](const Term& term) -> std::string {
    if (term.label == "metadata.name") return object.key.name;
    if (term.label == "metadata.namespace") return object.key.space;
    if (!document) document = documentOf(object);
    return valueAt(*document, term.path);
  };
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return (actual(term) == term.value) == term.equal; });
}

std::optional<std::string> FieldSelector::name() const {
  for (const auto& term : terms_) {
    if (term.equal && term.label == "metadata.name") return term.value;
  }
  return std::nullopt;
}

LabelSelector LabelSelector::parse(std::string_view text) {
  LabelSelector selector;
  try {
    selector.terms_ = kube::parseLabelQuery(text);
  } catch (const kube::LabelError& wrong) {
    throw badRequest(wrong.what());
  }
  return selector;
}

bool LabelSelector::matches(const Object& object) const {
  return std::ranges::all_of(terms_, [&](const kube::LabelTerm& term) { return term.holds(object.label(term.key)); });
}

bool Selection::matches(const Object& object) const {
  return (space.empty() || object.key.space == space) && labels.matches(object) && fields.matches(object);
}

}  // namespace ingot::apiserver
