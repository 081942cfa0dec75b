// Easy handles: what is set once a client.
#include "net/curl/exchange.hpp"
#include "net/openssl.hpp"

#include <curl/curl.h>

namespace ingot::net::curl {
namespace {

constexpr long kIdleSeconds = 60;      // what is polled every 30 s is kept; servers close what idles for longer
constexpr long kCaCacheSeconds = 300;  // a CA file is read again after that
constexpr int kLongestPrime = 4096;    // bits; twice as many take eight times as long
constexpr long kLongestChain = 32768;  // bytes of a server's certificates
constexpr int kDeepestChain = 8;       // certificates between the server's and a root
// Of each request in flight over TLS, streams included. A record of TLS is as long.
constexpr long kSendBuffer = 16384;

using SecurityCheck = decltype(SSL_CTX_get_security_callback(nullptr));

SecurityCheck usualCheck() {
  static const SecurityCheck usual =
      SSL_CTX_get_security_callback(openssl::Context(SSL_CTX_new(TLS_client_method())).get());
  return usual;
}

// The server of TLS 1.2 chooses a Diffie-Hellman group, and the loop waits for what the client has to compute in it.
int checkSecurity(const SSL* connection, const SSL_CTX* context, int what, int bits, int id, void* other, void* user) {
  if (what == SSL_SECOP_TMP_DH && other && EVP_PKEY_get_bits(static_cast<const EVP_PKEY*>(other)) > kLongestPrime)
    return 0;
  return usualCheck()(connection, context, what, bits, id, other, user);
}

bool allVerifyQuickly(const STACK_OF(X509) * chain) {
  for (int i = 0; i < sk_X509_num(chain); ++i)
    if (!openssl::verifiesQuickly(sk_X509_value(chain, i))) return false;
  return true;
}

// Who has the CA chosen has the server's chain chosen, too: each key in it is computed with. With that of a server
// which is not verified as well, so such a handshake ends although nobody asked for a verdict.
int checkChain(X509_STORE_CTX* chain, void*) {
  if (allVerifyQuickly(X509_STORE_CTX_get0_untrusted(chain))) return X509_verify_cert(chain);
  auto* connection = X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx());
  SSL_set_verify(static_cast<SSL*>(connection), SSL_VERIFY_PEER, nullptr);
  X509_STORE_CTX_set_error(chain, X509_V_ERR_EE_KEY_TOO_SMALL);
  return 0;
}

CURLcode setSecurity(CURL*, void* of, void* clientTls) {
  auto* context = static_cast<SSL_CTX*>(of);
  SSL_CTX_set_security_callback(context, checkSecurity);
  SSL_CTX_set_max_cert_list(context, kLongestChain);
  SSL_CTX_set_verify_depth(context, kDeepestChain);
  SSL_CTX_set_cert_verify_callback(context, checkChain, nullptr);
  if (static_cast<const ClientTls*>(clientTls)->legacyTls) SSL_CTX_set_options(context, SSL_OP_LEGACY_SERVER_CONNECT);
  return CURLE_OK;
}

curl_blob lend(const std::string& pem) { return {const_cast<char*>(pem.data()), pem.size(), CURL_BLOB_NOCOPY}; }

// It keeps what it read of the system's bundle for the next connections. Of a folder beside it, which on Debian holds
// the same certificates, it keeps nothing, nor of a bundle that has one: each connection would read them all.
bool hasBundle() {
  static const bool has = curl_version_info(CURLVERSION_NOW)->cainfo != nullptr;
  return has;
}

// `tls` outlives the handle. libcurl takes up no connection and no session of a client with another trust: it compares
// verification, CA, pinned keys, versions and ciphers.
void setTls(CURL* easy, const ClientTls& tls) {
  const bool verifies = tls.verify && tls.pinnedKeys.empty();
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, verifies ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, verifies ? 2L : 0L);
  if (!tls.pinnedKeys.empty()) {
    curl_easy_setopt(easy, CURLOPT_PINNEDPUBLICKEY, tls.pinnedKeys.c_str());
    curl_easy_setopt(easy, CURLOPT_CERTINFO, 1L);  // for the error that says which key it has
  }
  if (tls.legacyTls) curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_0));
  // Nobody without a key, whatever OpenSSL's file says.
  if (tls.legacyTls || !tls.pinnedKeys.empty())
    curl_easy_setopt(easy, CURLOPT_SSL_CIPHER_LIST, tls.legacyTls ? "DEFAULT:!aNULL:@SECLEVEL=0" : "DEFAULT:!aNULL");
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, setSecurity);
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, &tls);
  curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, kCaCacheSeconds);
  if (!tls.caPem.empty()) {
    auto ca = lend(tls.caPem);
    curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &ca);
  } else if (!tls.caFile.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, tls.caFile.c_str());
  }
  // A CA that was given is trusted alone, not beside the system's roots.
  const bool hasOwn = !tls.caPem.empty() || !tls.caFile.empty();
  if (hasOwn || hasBundle()) curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  if (tls.certificatePem.empty()) return;
  auto certificate = lend(tls.certificatePem);
  auto key = lend(tls.privateKeyPem.reveal());
  curl_easy_setopt(easy, CURLOPT_SSLCERT_BLOB, &certificate);
  curl_easy_setopt(easy, CURLOPT_SSLKEY_BLOB, &key);
}

void setCredentials(CURL* easy, const ClientOptions& options) {
  if (!options.basicUser.empty()) {
    curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    curl_easy_setopt(easy, CURLOPT_USERNAME, options.basicUser.c_str());
    curl_easy_setopt(easy, CURLOPT_PASSWORD, options.basicPassword.reveal().c_str());
  } else if (!options.bearerToken.empty()) {
    curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, options.bearerToken.reveal().c_str());
  }
}

}  // namespace

Easy takeHandle(ClientState& client) {
  if (Easy const idle = client.idle->take(client)) return idle;
  CURL* easy = curl_easy_init();
  const auto& options = client.options;
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // a name still being looked up is left to the resolver's thread
  client.loop->adopt(easy);
  curl_easy_setopt(easy, CURLOPT_SHARE, client.sessions);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PROXY, options.proxy.reveal().c_str());  // "": not the environment's proxy either
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // the head of a tunnel is not the answer's
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, kSendBuffer);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, kIdleSeconds);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, options.userAgent.c_str());
  const auto connect = std::chrono::ceil<std::chrono::milliseconds>(options.connectTimeout).count();
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, std::max<long>(1, connect));
  if (client.route) curl_easy_setopt(easy, CURLOPT_CONNECT_TO, static_cast<curl_slist*>(client.route));
  setTls(easy, options.tls);
  setCredentials(easy, options);
  return easy;
}

ClientState::ClientState(base::Runtime r, ClientOptions o, std::shared_ptr<Loop> l, std::shared_ptr<IdleHandles> i,
                         LowSpeedLimit p)
    : runtime(std::move(r)),
      options(std::move(o)),
      origin(Origin::parse(options.baseUrl)),
      loop(std::move(l)),
      lowSpeed(p),
      connections(runtime.executor, options.maxConnections),
      shownOrigin(origin.url.origin()),
      idle(std::move(i)),
      sessions(curl_share_init()) {
  curl_share_setopt(static_cast<CURLSH*>(sessions), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  if (options.tls.serverName.empty()) return;
  const auto authority = shownOrigin.substr(origin.url.scheme.size() + 3);
  auto shown = origin.url;
  shown.host = options.tls.serverName;
  shownOrigin = shown.origin();
  hostHeader = "Host: " + authority;
  route = curl_slist_append(nullptr, ("::" + authority).c_str());
}

ClientState::~ClientState() {
  idle->drop(*this);
  curl_share_cleanup(static_cast<CURLSH*>(sessions));
  curl_slist_free_all(static_cast<curl_slist*>(route));
}

}  // namespace ingot::net::curl
