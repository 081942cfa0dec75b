#include "json/patch.hpp"

namespace ingot::json {

namespace {

// The operation as the messages name it.
struct Operation {
  std::size_t index;
  std::string_view name, path, from;
  const Value* value;

  [[noreturn]] void fail(PatchError::Code code, const std::string& problem) const {
    throw PatchError(code, fmt::format("operation {} ({} {}): {}", index, name, path, problem));
  }
};

std::string unescape(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size()) {
      ++i;
      out += token[i] == '1' ? '/' : token[i] == '0' ? '~' : token[i];
    } else {
      out += token[i];
    }
  }
  return out;
}

std::vector<std::string> tokens(std::string_view pointer, const Operation& op) {
  std::vector<std::string> out;
  if (pointer.empty()) return out;
  if (pointer.front() != '/')
    op.fail(PatchError::Code::malformed, fmt::format("\"{}\" is not a JSON pointer", pointer));
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const auto slash = pointer.find('/');
    out.push_back(unescape(pointer.substr(0, slash)));
    pointer.remove_prefix(slash == std::string_view::npos ? pointer.size() : slash);
  }
  return out;
}

std::size_t indexOf(const std::string& token, std::size_t limit, const Operation& op) {
  std::size_t n = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), n);
  const bool plain = problem == std::errc{} && end == token.data() + token.size() && (token == "0" || token[0] != '0');
  if (!plain || n >= limit) op.fail(PatchError::Code::missingPath, fmt::format("no item {}", token));
  return n;
}

Value& child(Value& parent, const std::string& token, const Operation& op) {
  if (Array* items = parent.if_array()) return (*items)[indexOf(token, items->size(), op)];
  Object* members = parent.if_object();
  Value* found = members ? members->if_contains(token) : nullptr;
  if (!found) op.fail(PatchError::Code::missingPath, fmt::format("no member \"{}\"", token));
  return *found;
}

Value& resolve(Value& document, std::span<const std::string> path, const Operation& op) {
  Value* at = &document;
  for (const auto& token : path) at = &child(*at, token, op);
  return *at;
}

void add(Value& document, std::string_view pointer, Value value, const Operation& op) {
  const auto path = tokens(pointer, op);
  if (path.empty()) {
    document = std::move(value);
    return;
  }
  Value& parent = resolve(document, std::span(path).first(path.size() - 1), op);
  if (Array* items = parent.if_array()) {
    const std::size_t at = path.back() == "-" ? items->size() : indexOf(path.back(), items->size() + 1, op);
    items->insert(items->begin() + at, std::move(value));
  } else if (Object* members = parent.if_object()) {
    (*members)[path.back()] = std::move(value);
  } else {
    op.fail(PatchError::Code::missingPath, "the parent is neither object nor array");
  }
}

Value take(Value& document, std::string_view pointer, const Operation& op) {
  const auto path = tokens(pointer, op);
  if (path.empty()) return std::exchange(document, nullptr);
  Value& parent = resolve(document, std::span(path).first(path.size() - 1), op);
  Value taken = std::move(child(parent, path.back(), op));
  if (Array* items = parent.if_array()) {
    items->erase(items->begin() + indexOf(path.back(), items->size(), op));
  } else {
    parent.get_object().erase(path.back());
  }
  return taken;
}

const Value& valueOf(const Operation& op) {
  if (!op.value) op.fail(PatchError::Code::malformed, "value is missing");
  return *op.value;
}

void test(Value& document, const Operation& op) {
  const Value& actual = resolve(document, tokens(op.path, op), op);
  if (!equal(actual, valueOf(op)))
    op.fail(PatchError::Code::testFailed, fmt::format("the value is {}", json::serialize(actual)));
}

void move(Value& document, const Operation& op) {
  if (op.path.size() > op.from.size() && op.path.starts_with(op.from) && op.path[op.from.size()] == '/')
    op.fail(PatchError::Code::malformed, "a value cannot move into itself");
  add(document, op.path, take(document, op.from, op), op);
}

void applyOne(Value& document, const Operation& op) {
  if (op.name == "add") return add(document, op.path, valueOf(op), op);
  if (op.name == "remove") return void(take(document, op.path, op));
  if (op.name == "replace") return void(resolve(document, tokens(op.path, op), op) = valueOf(op));
  if (op.name == "move") return move(document, op);
  if (op.name == "copy") return add(document, op.path, Value(resolve(document, tokens(op.from, op), op)), op);
  if (op.name == "test") return test(document, op);
  op.fail(PatchError::Code::malformed, "unknown operation");
}

Operation read(const Value& v, std::size_t index) {
  const auto text = [&](std::string_view key) { return stringAt(v, {key}); };
  Operation op{.index = index,
               .name = text("op").value_or("?"),
               .path = text("path").value_or(""),
               .from = text("from").value_or(""),
               .value = find(v, {"value"})};
  if (!v.is_object()) op.fail(PatchError::Code::malformed, "expected object, got " + std::string(kindName(v)));
  if (!text("op")) op.fail(PatchError::Code::malformed, "op is missing");
  if (!text("path")) op.fail(PatchError::Code::malformed, "path is missing");
  if ((op.name == "move" || op.name == "copy") && !text("from"))
    op.fail(PatchError::Code::malformed, "from is missing");
  return op;
}

}  // namespace

void applyJsonPatch(Value& target, const Value& operations) {
  const Array* all = operations.if_array();
  if (!all) throw PatchError(PatchError::Code::malformed, "a JSON patch is an array of operations");
  Value result = target;
  for (std::size_t i = 0; i < all->size(); ++i) applyOne(result, read((*all)[i], i));
  target = std::move(result);
}

}  // namespace ingot::json
