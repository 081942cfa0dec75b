#include "net/beast/byte_stream.hpp"

#include <openssl/err.h>

namespace ingot::net {
namespace {

[[noreturn]] void refuseTls(const std::string& what) {
  throw base::Error("TLS of the server: " + what + ": " + openssl::takeError());
}

// HTTP/1.1, also when the client would rather speak HTTP/2.
int selectProtocol(SSL*, const unsigned char** out, unsigned char* outSize, const unsigned char* offered,
                   unsigned offeredSize, void*) {
  static constexpr unsigned char ours[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, outSize, ours, sizeof ours - 1, offered, offeredSize) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

void useCertificate(SSL_CTX* context, const ServerTls& tls) {
  auto chain = openssl::readCertificates(tls.certificatePem);
  const auto key = openssl::readPrivateKey(tls.privateKeyPem.reveal());
  if (chain.empty()) refuseTls("no PEM certificate");
  if (!key) refuseTls("no PEM private key");
  if (SSL_CTX_use_certificate(context, chain.front().get()) != 1) refuseTls("certificate");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) refuseTls("the key does not fit the certificate");
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1) refuseTls("certificate chain");
  }
}

// The handshake succeeds with any client certificate, as in Kubernetes: the answer to an invalid one is a 401, which
// says more than a broken connection. The result of the check stays with the TLS session, also when it is resumed.
int noteVerdict(X509_STORE_CTX* context, void*) {
  const bool holds = X509_verify_cert(context) == 1;
  if (!holds && X509_STORE_CTX_get_error(context) == X509_V_OK)
    X509_STORE_CTX_set_error(context, X509_V_ERR_UNSPECIFIED);
  ERR_clear_error();
  return 1;
}

void askForClients(SSL_CTX* context, const std::string& caPem) {
  const auto authorities = openssl::readCertificates(caPem);
  if (authorities.empty()) refuseTls("no PEM certificate in the clients' CA");
  for (const auto& authority : authorities) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get()) != 1) refuseTls("the clients' CA");
    if (SSL_CTX_add_client_CA(context, authority.get()) != 1) refuseTls("the clients' CA");
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(context, noteVerdict, nullptr);
}

int numberOf(TlsVersion version) {
  switch (version) {
    case TlsVersion::tls12: return TLS1_2_VERSION;
    case TlsVersion::tls13: return TLS1_3_VERSION;
  }
  std::unreachable();
}

// Of those that are on without a choice. nullptr: none has that name.
const SSL_CIPHER* cipherCalled(const SSL_CTX* context, std::string_view name) {
  const auto* all = SSL_CTX_get_ciphers(context);
  for (int i = 0; i < sk_SSL_CIPHER_num(all); ++i) {
    const auto* cipher = sk_SSL_CIPHER_value(all, i);
    const char* standard = SSL_CIPHER_standard_name(cipher);
    if (standard != nullptr && name == standard) return cipher;
  }
  return nullptr;
}

void chooseCiphers(SSL_CTX* context, const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) {
    const auto* cipher = cipherCalled(context, name);
    if (!cipher) throw base::Error("TLS of the server: there is no cipher suite " + name);
    if (std::string_view(SSL_CIPHER_get_version(cipher)) == "TLSv1.3") continue;
    list += (list.empty() ? "" : ":") + std::string(SSL_CIPHER_get_name(cipher));
  }
  if (!list.empty() && SSL_CTX_set_cipher_list(context, list.c_str()) != 1) refuseTls("cipher suites");
}

struct Group {
  std::string_view goName;
  const char* name;  // OpenSSL's
};
constexpr Group groups[] = {
    {"X25519", "X25519"},
    {"CurveP256", "P-256"},
    {"CurveP384", "P-384"},
    {"CurveP521", "P-521"},
    {"X25519MLKEM768", "X25519MLKEM768"},
    {"SecP256r1MLKEM768", "SecP256r1MLKEM768"},
    {"SecP384r1MLKEM1024", "SecP384r1MLKEM1024"},
};

const Group* groupCalled(std::string_view goName) {
  const auto* found = std::ranges::find(groups, goName, &Group::goName);
  return found == std::end(groups) ? nullptr : found;
}

void chooseKeyExchanges(SSL_CTX* context, const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) {
    const Group* group = groupCalled(name);
    if (!group) throw base::Error("TLS of the server: there is no key exchange " + name);
    list += (list.empty() ? "" : ":") + std::string(group->name);
  }
  if (!list.empty() && SSL_CTX_set1_groups_list(context, list.c_str()) != 1) refuseTls("key exchanges");
}

}  // namespace

KeyExchange keyExchangeCalled(std::string_view goName) {
  const Group* group = groupCalled(goName);
  if (!group) return KeyExchange::unknown;
  const openssl::Context context(SSL_CTX_new(TLS_server_method()));
  const bool has = context && SSL_CTX_set1_groups_list(context.get(), group->name) == 1;
  ERR_clear_error();
  return has ? KeyExchange::usable : KeyExchange::absent;
}

bool isCipherSuite(std::string_view name) {
  const openssl::Context context(SSL_CTX_new(TLS_server_method()));
  return context && cipherCalled(context.get(), name) != nullptr;
}

openssl::Context serverContext(const ServerTls& tls) {
  ERR_clear_error();
  openssl::Context owner(SSL_CTX_new(TLS_server_method()));
  auto* context = owner.get();
  if (!context) refuseTls("no context");
  SSL_CTX_set_min_proto_version(context, numberOf(tls.lowest));
  SSL_CTX_set_max_proto_version(context, numberOf(tls.highest));
  chooseCiphers(context, tls.cipherSuites);
  chooseKeyExchanges(context, tls.keyExchanges);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  // Sessions live in tickets, with the client's identity inside; resuming those needs a context id.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 1);
  static constexpr unsigned char id[] = "ingot";
  SSL_CTX_set_session_id_context(context, id, sizeof id - 1);
  SSL_CTX_set_alpn_select_cb(context, selectProtocol, nullptr);
  useCertificate(context, tls);
  if (!tls.clientCaPem.empty()) askForClients(context, tls.clientCaPem);
  return owner;
}

}  // namespace ingot::net
