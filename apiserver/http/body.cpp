#include "apiserver/http/body.hpp"

#include "apiserver/http/body_type.hpp"
#include "apiserver/http/negotiation.hpp"
#include "apiserver/protobuf/decode.hpp"
#include "apiserver/registry/errors.hpp"
#include "apiserver/schema/duplicates.hpp"
#include "base/utf8.hpp"
#include "json/yaml.hpp"

#include <cmath>
#include <cstdlib>

namespace ingot::apiserver {

namespace {

constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr std::string_view kBodyTypes = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

ApiError unsupportedType(std::string_view accepted) {
  Status status{.code = 415, .reason = "UnsupportedMediaType"};
  status.message =
      fmt::format("the body of the request was in an unknown format - accepted media types include: {}", accepted);
  return ApiError(std::move(status));
}

ApiError unknownPatchType() {
  Status status{.code = 415, .reason = "UnsupportedMediaType", .message = "415: Unsupported Media Type"};
  status.details.emplace();
  return ApiError(std::move(status));
}

void checkSize(const net::ServerRequest& request) {
  if (request.body.size() > kObjectBytes) throw entityTooLarge();
}

std::string contentType(const net::ServerRequest& request) {
  const auto ranges = parseAccept(request.headers.get("Content-Type"));
  return ranges.empty() ? "application/json" : ranges.front().type;
}

// The number in `text` that parsing stopped at because no double can hold it, as it is written; "" when it was
// something else.
std::string hugeNumber(const json::ParseError& problem, std::string_view text) {
  const auto rest = text.substr(std::min(problem.offset(), text.size()));
  const std::string number(rest.substr(0, rest.find_first_not_of("+-.0123456789eE")));
  return std::isinf(std::strtod(number.c_str(), nullptr)) ? number : "";
}

// Go's words where a text ends too early or a number is too large.
std::string parseProblem(const json::ParseError& problem, std::string_view text) {
  if (const auto number = hugeNumber(problem, text); !number.empty())
    return fmt::format("json: cannot unmarshal number {} into Go value of type float64", number);
  return problem.offset() >= text.size() ? "unexpected end of JSON input" : problem.what();
}

// As Go's decoder reads: what is no UTF-8 stands for U+FFFD.
json::Value parsed(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::ParseError&) {
    if (base::isUtf8(text)) throw;
  }
  return json::parse(base::toUtf8(text));
}

Body readJson(std::string_view text, std::string_view kind, std::string_view version) {
  try {
    return {parsed(text), duplicateFields(text)};
  } catch (const json::ParseError& problem) {
    const std::string words = parseProblem(problem, text);
    if (!hugeNumber(problem, text).empty())
      throw badRequest(fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}", kind, version, words));
    throw unrecognized(kind, "couldn't get version/kind; json parse error: " + words, text);
  }
}

Body readYaml(std::string_view text) {
  try {
    return {json::parseYamlValue(text, {.bytes = kObjectBytes}), {}};
  } catch (const json::YamlError& problem) {
    throw badRequest(fmt::format("error converting YAML to JSON: yaml: {}", problem.what()));
  }
}

Body readProtobuf(std::string_view bytes) {
  try {
    if (auto value = decodeProtobuf(bytes)) return {std::move(*value), {}};
  } catch (const ProtobufError& problem) {
    throw badRequest(problem.what());
  }
  throw unsupportedType(kBodyTypes);
}

}  // namespace

Body readBody(const net::ServerRequest& request, std::string_view kind, bool protobuf, std::string_view version) {
  checkSize(request);
  const std::string type = contentType(request);
  if (type == "application/json") return readJson(request.body, kind, version);
  if (type == "application/yaml") return readYaml(request.body);
  if (type == kProtobuf && protobuf) return readProtobuf(request.body);
  throw unsupportedType(kBodyTypes);
}

PatchType patchTypeOf(const net::ServerRequest& request, bool customKind) {
  const std::string type = contentType(request);
  if (type == "application/json-patch+json") return PatchType::json;
  if (type == "application/merge-patch+json") return PatchType::merge;
  if (type == "application/strategic-merge-patch+json" && !customKind) return PatchType::strategic;
  if (!customKind && type != "application/apply-patch+yaml") throw unknownPatchType();
  throw unsupportedType(customKind ? "application/json-patch+json, application/merge-patch+json"
                                   : "application/json-patch+json, application/merge-patch+json, "
                                     "application/strategic-merge-patch+json");
}

Body readPatch(const net::ServerRequest& request, PatchType type) {
  checkSize(request);
  try {
    Body body{parsed(request.body),
              type == PatchType::json ? std::vector<std::string>() : duplicateFields(request.body)};
    checkPatch(type, body.value);
    return body;
  } catch (const json::ParseError& problem) {
    throw badRequest("error decoding patch: " + parseProblem(problem, request.body));
  }
}

}  // namespace ingot::apiserver
