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

const Value& valueOf(const Operation& op) {
  if (!op.value) op.fail(PatchError::Code::malformed, "value is missing");
  return *op.value;
}

// What a value would take as text, roughly, and how deep it goes.
struct Extent {
  std::size_t bytes = 0, depth = 0;
};

Extent extentOf(const Value& v) {
  Extent all{.bytes = 2, .depth = v.is_structured() ? std::size_t{1} : 0};
  const auto hold = [&](const Value& inner, std::size_t name) {
    const Extent one = extentOf(inner);
    all.bytes += one.bytes + name + 1;
    all.depth = std::max(all.depth, one.depth + 1);
  };
  if (const Object* members = v.if_object()) {
    for (const auto& [key, value] : *members) hold(value, key.size() + 3);
  } else if (const Array* items = v.if_array()) {
    for (const auto& item : *items) hold(item, 0);
  } else if (const auto* text = v.if_string()) {
    all.bytes += text->size();
  }
  return all;
}

// The operations of one patch on a document, within its limits.
class Patching {
 public:
  Patching(Value& document, const JsonPatchOptions& options) : document_(document), options_(options) {}

  void apply(const Operation& op) {
    if (op.name == "add") return place(valueOf(op), extentOf(valueOf(op)).depth, op);
    if (op.name == "remove") return void(take(op.path, op));
    if (op.name == "replace") return replace(op);
    if (op.name == "move") return move(op);
    if (op.name == "copy") return copy(op);
    if (op.name == "test") return test(op);
    op.fail(PatchError::Code::malformed, "unknown operation");
  }

 private:
  using Path = std::vector<std::string>;

  Value& parentOf(const Path& path, const Operation& op) {
    return resolve(document_, std::span(path).first(path.size() - 1), op);
  }

  void demandDepth(const Path& path, std::size_t depth, const Operation& op) const {
    if (path.size() + depth > options_.depth)
      op.fail(PatchError::Code::overLimit, fmt::format("nested more than {} levels deep", options_.depth));
  }

  void countCopied(std::size_t bytes, const Operation& op) {
    copied_ += bytes;
    if (copied_ > options_.copied)
      op.fail(PatchError::Code::overLimit, fmt::format("copies of more than {} bytes", options_.copied));
  }

  // At the operation's path; `depth`: of the value itself.
  void place(Value value, std::size_t depth, const Operation& op) {
    const Path path = tokens(op.path, op);
    demandDepth(path, depth, op);
    if (path.empty()) {
      document_ = std::move(value);
      return;
    }
    Value& parent = parentOf(path, op);
    if (Array* items = parent.if_array()) {
      const std::size_t at = path.back() == "-" ? items->size() : indexOf(path.back(), items->size() + 1, op);
      items->insert(items->begin() + at, std::move(value));
    } else if (Object* members = parent.if_object()) {
      (*members)[path.back()] = std::move(value);
    } else {
      op.fail(PatchError::Code::missingPath, "the parent is neither object nor array");
    }
  }

  Value take(std::string_view pointer, const Operation& op) {
    const Path path = tokens(pointer, op);
    if (path.empty()) return std::exchange(document_, nullptr);
    Value& parent = parentOf(path, op);
    Value taken = std::move(child(parent, path.back(), op));
    if (Array* items = parent.if_array()) {
      items->erase(items->begin() + indexOf(path.back(), items->size(), op));
    } else {
      parent.get_object().erase(path.back());
    }
    return taken;
  }

  void replace(const Operation& op) {
    const Path path = tokens(op.path, op);
    const Value& value = valueOf(op);
    demandDepth(path, extentOf(value).depth, op);
    Object* members = options_.replaceAdds && !path.empty() ? parentOf(path, op).if_object() : nullptr;
    if (members) {
      (*members)[path.back()] = value;
    } else {
      resolve(document_, path, op) = value;
    }
  }

  void move(const Operation& op) {
    if (op.path.size() > op.from.size() && op.path.starts_with(op.from) && op.path[op.from.size()] == '/')
      op.fail(PatchError::Code::malformed, "a value cannot move into itself");
    const bool deeper = tokens(op.path, op).size() > tokens(op.from, op).size();
    Value taken = take(op.from, op);
    const Extent extent = deeper ? extentOf(taken) : Extent();
    countCopied(extent.bytes, op);
    place(std::move(taken), extent.depth, op);
  }

  void copy(const Operation& op) {
    const Value& source = resolve(document_, tokens(op.from, op), op);
    const Extent extent = extentOf(source);
    countCopied(extent.bytes, op);
    place(Value(source, document_.storage()), extent.depth, op);
  }

  void test(const Operation& op) {
    const Value& actual = resolve(document_, tokens(op.path, op), op);
    if (!equal(actual, valueOf(op)))
      op.fail(PatchError::Code::testFailed, fmt::format("the value is {}", json::serialize(actual)));
  }

  Value& document_;
  const JsonPatchOptions& options_;
  std::size_t copied_ = 0;
};

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

void applyJsonPatch(Value& target, const Value& operations, JsonPatchOptions options) {
  const Array* all = operations.if_array();
  if (!all) throw PatchError(PatchError::Code::malformed, "a JSON patch is an array of operations");
  Value result(target, target.storage());
  Patching patching(result, options);
  for (std::size_t i = 0; i < all->size(); ++i) patching.apply(read((*all)[i], i));
  target = std::move(result);
}

}  // namespace ingot::json
