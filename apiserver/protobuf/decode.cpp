#include "apiserver/protobuf/decode.hpp"

#include "apiserver/protobuf/messages.hpp"
#include "base/base64.hpp"
#include "base/clock.hpp"
#include "base/utf8.hpp"
#include "json/codec.hpp"

#include <cmath>

namespace ingot::apiserver {

namespace {

constexpr std::string_view kMagic{"k8s\0", 4};
constexpr int kDeepest = 32;
constexpr double kFurthest = 8.5e9;  // seconds: the years 1700 to 2239, which nanoseconds in 64 bits can tell

std::string_view delimited(const WireReader::Field& field) {
  if (!field.delimited) throw ProtobufError(fmt::format("proto: wrong wireType for field {}", field.number));
  return field.bytes;
}

// Kubernetes' protobuf (proto2) does not check texts: bytes that are no UTF-8 are read as Go's JSON encoder would write
// them.
std::string textOf(const WireReader::Field& field) { return base::toUtf8(delimited(field)); }

// Time{seconds=1, nanos=2}; an empty message is no time.
json::Value timeOf(std::string_view bytes, bool micros) {
  std::int64_t seconds = 0, nanos = 0;
  WireReader reader(bytes);
  WireReader::Field field;
  bool any = false;
  while (reader.next(field)) {
    any = true;
    if (field.number == 1) seconds = static_cast<std::int64_t>(field.integer);
    if (field.number == 2) nanos = static_cast<std::int32_t>(field.integer);
  }
  if (!any) return nullptr;
  if (std::abs(static_cast<double>(seconds)) > kFurthest) throw ProtobufError("proto: a time beyond what can be told");
  const base::WallTime t{std::chrono::duration_cast<base::WallTime::duration>(
      std::chrono::seconds(seconds) + std::chrono::nanoseconds(micros ? nanos : 0))};
  return json::Value(micros ? base::formatMicroTime(t) : base::formatTime(t));
}

void addEntry(json::Object& into, std::string_view bytes, bool encode) {
  std::string key, value;
  WireReader reader(bytes);
  WireReader::Field field;
  while (reader.next(field)) {
    if (field.number == 1) key = textOf(field);
    if (field.number == 2) value = encode ? base::toBase64(delimited(field)) : textOf(field);
  }
  into[key] = value;
}

// FieldsV1{Raw=1: JSON}.
json::Value rawJsonOf(std::string_view bytes) {
  WireReader reader(bytes);
  WireReader::Field field;
  while (reader.next(field)) {
    if (field.number != 1) continue;
    try {
      return json::parse(delimited(field));
    } catch (const json::ParseError& problem) {
      throw ProtobufError(fmt::format("proto: fieldsV1 is no JSON: {}", problem.what()));
    }
  }
  return json::Object();
}

json::Object messageOf(const Message& type, std::string_view bytes, int depth);

json::Value valueOf(const MessageField& known, const WireReader::Field& field, int depth) {
  switch (known.type) {
    case FieldType::text: return json::Value(textOf(field));
    case FieldType::integer: return static_cast<std::int64_t>(field.integer);
    case FieldType::boolean: return field.integer != 0;
    case FieldType::bytes: return json::Value(base::toBase64(delimited(field)));
    case FieldType::time: return timeOf(delimited(field), false);
    case FieldType::microTime: return timeOf(delimited(field), true);
    case FieldType::message: return messageOf(*findMessage(known.message), delimited(field), depth + 1);
    case FieldType::rawJson: return rawJsonOf(delimited(field));
    case FieldType::textMap:
    case FieldType::bytesMap: break;
  }
  return nullptr;
}

// Whether the field was set: clients also write the zero value of fields that were never set.
bool means(const MessageField& known, const json::Value& value) {
  if (known.zeroCounts) return true;
  if (value.is_null()) return false;
  if (value.is_string()) return !value.get_string().empty();
  if (value.is_int64()) return value.get_int64() != 0;
  if (value.is_bool()) return value.get_bool();
  if (value.is_object()) return !value.get_object().empty();
  return true;
}

void addField(json::Object& out, const MessageField& known, const WireReader::Field& field, int depth) {
  if (known.type == FieldType::textMap || known.type == FieldType::bytesMap) {
    json::Value& map = out[known.name];
    if (!map.is_object()) map = json::Object();
    return addEntry(map.get_object(), delimited(field), known.type == FieldType::bytesMap);
  }
  json::Value value = valueOf(known, field, depth);
  if (known.repeated) {
    json::Value& list = out[known.name];
    if (!list.is_array()) list = json::Array();
    list.get_array().push_back(std::move(value));
  } else if (means(known, value)) {
    out[known.name] = std::move(value);
  }
}

json::Object messageOf(const Message& type, std::string_view bytes, int depth) {
  if (depth > kDeepest) throw ProtobufError("proto: nested too deeply");
  json::Object out;
  WireReader reader(bytes);
  WireReader::Field field;
  while (reader.next(field)) {
    const auto known = std::find_if(type.fields.begin(), type.fields.end(),
                                    [&](const MessageField& one) { return one.number == field.number; });
    if (known != type.fields.end()) addField(out, *known, field, depth);
  }
  return out;
}

struct Envelope {
  std::string apiVersion, kind;
  std::string_view raw;
};

Envelope open(std::string_view body) {
  if (!body.starts_with(kMagic))
    throw ProtobufError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  Envelope out;
  WireReader reader(body.substr(kMagic.size()));
  WireReader::Field field;
  while (reader.next(field)) {
    if (field.number == 2) out.raw = delimited(field);
    if (field.number != 1) continue;
    WireReader type(delimited(field));
    WireReader::Field part;
    while (type.next(part)) {
      if (part.number == 1) out.apiVersion = textOf(part);
      if (part.number == 2) out.kind = textOf(part);
    }
  }
  return out;
}

}  // namespace

std::optional<json::Value> decodeProtobuf(std::string_view body) {
  const Envelope envelope = open(body);
  const Message* type = messageOf(envelope.apiVersion, envelope.kind);
  if (!type) return std::nullopt;
  json::Object object{{"apiVersion", envelope.apiVersion}, {"kind", envelope.kind}};
  for (auto& [name, value] : messageOf(*type, envelope.raw, 0)) object[name] = std::move(value);
  return object;
}

}  // namespace ingot::apiserver
