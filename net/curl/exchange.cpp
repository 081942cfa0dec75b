#include "net/curl/exchange.hpp"

#include "base/text.hpp"

#include <curl/curl.h>
#include <openssl/ssl.h>

#include <charconv>
#include <cstring>

namespace ingot::net::curl {
namespace {

constexpr std::size_t kStreamBuffer = 256u << 10;  // unread bytes of a stream before libcurl is told to pause
// What libcurl reads at a time, and one byte of its own, kept as long as the request is in flight. A stream is open for
// days, and little comes at a time.
constexpr long kReadAtOnce = 16383, kReadAtOnceOfStream = 4095;

// libcurl sends a request again on a new connection when a kept one turns out dead. Only these may be sent twice.
bool mayRunTwice(const std::string& method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" || method == "OPTIONS";
}

long wholeMilliseconds(base::Duration d) {
  return static_cast<long>(std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::milliseconds>(d).count()));
}

// The tickets that come before the first answer leave 16 KiB behind, which OpenSSL gives back at the next request: a
// stream has none.
void releaseTlsBuffers(CURL* easy) {
  curl_tlssessioninfo* session = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == nullptr) return;
  if (session->backend != CURLSSLBACKEND_OPENSSL || session->internals == nullptr) return;
  auto* connection = static_cast<SSL*>(session->internals);
  if (SSL_has_pending(connection) == 0) SSL_free_buffers(connection);
}

}  // namespace

struct Exchange::Callbacks {
  static std::size_t header(char* data, std::size_t size, std::size_t count, void* user) {
    return static_cast<Exchange*>(user)->onHeader({data, size * count}) ? size * count : 0;
  }
  static std::size_t body(char* data, std::size_t size, std::size_t count, void* user) {
    return static_cast<Exchange*>(user)->onBody({data, size * count});
  }
  static std::size_t upload(char* into, std::size_t size, std::size_t count, void* user) {
    return static_cast<Exchange*>(user)->onUpload(into, size * count);
  }
  // The connection stands, nothing was sent.
  static int ready(void* user, char*, char*, int, int) {
    return static_cast<Exchange*>(user)->onReady() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
  }
  // libcurl calls this only when it wants to send the body a second time, which must not happen.
  static int rewind(void*, curl_off_t, int) { return CURL_SEEKFUNC_FAIL; }
};

Exchange::Exchange(std::shared_ptr<ClientState> client, HttpRequest request, Body body)
    : changed(client->runtime.executor),
      client_(std::move(client)),
      request_(std::move(request)),
      mode_(body),
      target_(client_->origin.resolve(request_.target)) {
  checkSendable(request_, target_);
}

Exchange::~Exchange() {
  stop();
  if (!easy_) return;
  // A handle that waits for its next request must not point to anything of this exchange.
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, nullptr);
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, nullptr);
  curl_slist_free_all(static_cast<curl_slist*>(headerList_));
  client_->idle->keep(*client_, easy_);
}

void Exchange::start(base::Duration deadline) {
  easy_ = takeHandle(*client_);
  configure(deadline);
  running_ = true;
  client_->loop->add(easy_, *this);
}

void Exchange::stop() {
  if (!running_) return;
  running_ = false;
  client_->loop->remove(easy_);
}

void Exchange::configure(base::Duration deadline) {
  static_assert(std::tuple_size_v<decltype(errorText_)> >= CURL_ERROR_SIZE);
  curl_easy_setopt(easy_, CURLOPT_URL, (client_->shownOrigin + target_).c_str());
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, errorText_.data());
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, Callbacks::header);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, Callbacks::body);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_, CURLOPT_PREREQFUNCTION, request_.beforeSending ? Callbacks::ready : nullptr);
  curl_easy_setopt(easy_, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, deadline == base::Duration::zero() ? 0L : wholeMilliseconds(deadline));
  curl_easy_setopt(easy_, CURLOPT_BUFFERSIZE, mode_ == Body::stream ? kReadAtOnceOfStream : kReadAtOnce);
  const bool bounded = mode_ == Body::collect && request_.method != "HEAD";
  const auto limit = bounded ? static_cast<curl_off_t>(request_.bodyLimit) : 0;
  curl_easy_setopt(easy_, CURLOPT_MAXFILESIZE_LARGE, limit);
  setLowSpeedLimit({0, 0});
  setBody();
  setHeaders();
}

void Exchange::setBody() {
  curl_easy_setopt(easy_, CURLOPT_HTTPGET, 1L);  // forgets the last request's method and body
  const auto& method = request_.method;
  const bool hasBody = !request_.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
  if (method == "HEAD") curl_easy_setopt(easy_, CURLOPT_NOBODY, 1L);
  if (hasBody) {
    curl_easy_setopt(easy_, CURLOPT_POST, 1L);
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    const bool fromMemory = mayRunTwice(method) || request_.body.empty();
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, fromMemory ? request_.body.data() : nullptr);
    curl_easy_setopt(easy_, CURLOPT_READFUNCTION, Callbacks::upload);
    curl_easy_setopt(easy_, CURLOPT_READDATA, this);
    curl_easy_setopt(easy_, CURLOPT_SEEKFUNCTION, Callbacks::rewind);
  }
  const bool alone = request_.headers.get("Connection") == "close";  // a connection for this request only
  // Without a body there is nothing to rewind, so libcurl would repeat it silently; on a new connection it does not.
  const bool fresh = alone || (!mayRunTwice(method) && request_.body.empty());
  curl_easy_setopt(easy_, CURLOPT_FRESH_CONNECT, fresh ? 1L : 0L);
  curl_easy_setopt(easy_, CURLOPT_FORBID_REUSE, alone ? 1L : 0L);
  curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, method.c_str());
}

void Exchange::setHeaders() {
  curl_slist* list = nullptr;
  const auto add = [&](const char* line) { list = curl_slist_append(list, line); };
  std::string line;
  bool hasType = false, hasHost = false;
  for (const auto& [name, value] : request_.headers.all()) {
    hasType |= sameHeaderName(name, "Content-Type");
    hasHost |= sameHeaderName(name, "Host");
    line.assign(name)
        .append(value.empty() ? ";" : ": ")
        .append(value);  // "Name;": libcurl's form for one without value
    add(line.c_str());
  }
  add("Expect:");
  if (!hasType) add("Content-Type:");
  if (!hasHost && !client_->hostHeader.empty()) add(client_->hostHeader.c_str());
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, list);
  curl_slist_free_all(static_cast<curl_slist*>(std::exchange(headerList_, list)));
}

void Exchange::setLowSpeedLimit(LowSpeedLimit lowSpeed) {
  curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_LIMIT, lowSpeed.bytesPerSecond);
  curl_easy_setopt(easy_, CURLOPT_LOW_SPEED_TIME, lowSpeed.seconds);
}

bool Exchange::onHeader(std::string_view line) {
  if (headersComplete_) return true;  // trailers
  if (line.starts_with("HTTP/")) {    // also after an interim answer
    response_.headers = {};
    const auto space = line.find(' ');
    if (space == std::string_view::npos) return false;
    std::from_chars(line.data() + space + 1, line.data() + line.size(), response_.status);
    return true;
  }
  const auto text = base::trimmed(line);
  if (!text.empty()) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return true;
    response_.headers.add(std::string(text.substr(0, colon)), std::string(base::trimmed(text.substr(colon + 1))));
    return true;
  }
  if (response_.status < 200) return true;
  headersComplete_ = true;
  releaseTlsBuffers(easy_);
  if (mode_ == Body::collect) setLowSpeedLimit(client_->lowSpeed);
  changed.notifyAll();
  return true;
}

std::size_t Exchange::onBody(std::string_view piece) {
  if (mode_ == Body::collect) {
    if (piece.size() > request_.bodyLimit - response_.body.size()) {
      tooLarge_ = true;
      return 0;
    }
    response_.body.append(piece);
    return piece.size();
  }
  if (response_.body.size() >= kStreamBuffer) {
    paused_ = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  response_.body.append(piece);
  changed.notifyAll();
  return piece.size();
}

bool Exchange::onReady() {
  try {
    request_.beforeSending();
    return true;
  } catch (...) {  // not through libcurl's frames
    withheld_ = std::current_exception();
    return false;
  }
}

std::size_t Exchange::onUpload(char* into, std::size_t room) {
  const auto amount = std::min(room, request_.body.size() - uploaded_);
  std::memcpy(into, request_.body.data() + uploaded_, amount);
  uploaded_ += amount;
  return amount;
}

void Exchange::finished(int code) {
  running_ = false;
  done_ = true;
  code_ = code;
  changed.notifyAll();
}

// Of the server's certificate, "" where it was not seen.
std::string Exchange::shownKey() const {
  curl_certinfo* chain = nullptr;
  if (curl_easy_getinfo(easy_, CURLINFO_CERTINFO, &chain) != CURLE_OK || chain == nullptr || chain->num_of_certs == 0)
    return {};
  constexpr std::string_view pem = "Cert:";
  for (const curl_slist* line = chain->certinfo[0]; line != nullptr; line = line->next)
    if (const std::string_view text = line->data; text.starts_with(pem)) return pinnedKeyOf(text.substr(pem.size()));
  return {};
}

void Exchange::throwIfFailed() const {
  if (withheld_) std::rethrow_exception(withheld_);
  if (done_ && code_ == CURLE_SSL_PINNEDPUBKEYNOTMATCH)
    throw HttpError(HttpError::Code::tls,
                    fmt::format("{}: the server's public key is {}, which is not the pinned one", name(), shownKey()));
  if (done_ && code_ != CURLE_OK) {
    throw errorFor(code_, errorText_.data(), name(), tooLarge_, request_.bodyLimit);
  }
}

std::string Exchange::takeBody() {
  auto taken = std::exchange(response_.body, {});
  if (std::exchange(paused_, false) && running_) client_->loop->resume(easy_);
  return taken;
}

HttpError Exchange::timeoutError(std::string_view what) const {
  return {HttpError::Code::timeout, fmt::format("{}: {}", name(), what)};
}

}  // namespace ingot::net::curl
