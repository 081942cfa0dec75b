#include "net/certificates.hpp"

#include <algorithm>

#include "net/openssl.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <fmt/format.h>

namespace ingot::net {
namespace {

using openssl::Certificate;
using openssl::Key;

template <auto Free>
using Owned = openssl::Deleter<Free>;
using Extension = std::unique_ptr<X509_EXTENSION, Owned<X509_EXTENSION_free>>;

void must(bool done, const char* what) {
  if (!done) throw CertificateError(fmt::format("{}: {}", what, openssl::takeError()));
}

Certificate firstCertificate(std::string_view pem) {
  auto all = openssl::readCertificates(pem);
  if (all.empty()) throw CertificateError("no PEM certificate found");
  return std::move(all.front());
}

std::string taken(const openssl::Bio& bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string toPem(X509* certificate) {
  const openssl::Bio out(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_X509(out.get(), certificate) == 1, "writing a certificate");
  return taken(out);
}

base::Secret toPem(EVP_PKEY* key) {
  const openssl::Bio out(BIO_new(BIO_s_secmem()));
  must(PEM_write_bio_PKCS8PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1, "writing a key");
  return base::Secret(taken(out));
}

Key newKey() {
  Key key(EVP_EC_gen("P-256"));
  must(key != nullptr, "making a key");
  return key;
}

void setSerial(X509* certificate) {
  unsigned char bytes[16];
  must(RAND_bytes(bytes, sizeof bytes) == 1, "making a serial number");
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive and always 16 bytes
  const std::unique_ptr<BIGNUM, Owned<BN_free>> number(BN_bin2bn(bytes, sizeof bytes, nullptr));
  must(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr, "setting the serial number");
}

void setValidity(X509* certificate, base::WallTime now, base::Duration validity) {
  const auto from = base::WallTime::clock::to_time_t(now - std::chrono::hours(1));
  const auto to =
      base::WallTime::clock::to_time_t(now + std::chrono::duration_cast<base::WallTime::duration>(validity));
  must(ASN1_TIME_set(X509_getm_notBefore(certificate), from) != nullptr &&
           ASN1_TIME_set(X509_getm_notAfter(certificate), to) != nullptr,
       "setting the validity");
}

void addName(X509_NAME* name, int nid, std::string_view value) {
  must(X509_NAME_add_entry_by_NID(name, nid, MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(value.data()),
                                  static_cast<int>(value.size()), -1, 0) == 1,
       "setting the subject");
}

void addExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  must(extension && X509_add_ext(certificate, extension.get(), -1) == 1, "adding an extension");
}

// Alternative names one by one: the text form of OpenSSL's configuration would let a comma in a name add others.
void addAlternativeNames(X509* certificate, const ServerCertificate& wanted) {
  const std::unique_ptr<GENERAL_NAMES, Owned<GENERAL_NAMES_free>> names(GENERAL_NAMES_new());
  const auto add = [&](int type, const std::string& bytes) {
    auto* name = GENERAL_NAME_new();
    ASN1_STRING* value = type == GEN_IPADD ? ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();
    ASN1_STRING_set(value, bytes.data(), static_cast<int>(bytes.size()));
    GENERAL_NAME_set0_value(name, type, value);
    must(sk_GENERAL_NAME_push(names.get(), name) > 0, "adding a name");
  };
  for (const auto& name : wanted.dnsNames) add(GEN_DNS, name);
  for (const auto& text : wanted.ipAddresses) {
    unsigned char address[16];
    const bool six = text.find(':') != std::string::npos;
    if (::inet_pton(six ? AF_INET6 : AF_INET, text.c_str(), address) != 1) {
      throw CertificateError(fmt::format("'{}' is not an IP address", text));
    }
    add(GEN_IPADD, std::string(reinterpret_cast<const char*>(address), six ? 16 : 4));
  }
  if (sk_GENERAL_NAME_num(names.get()) == 0) return;
  must(X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, 0) == 1, "adding the names");
}

Certificate newCertificate(EVP_PKEY* key, base::WallTime now, base::Duration validity) {
  Certificate certificate(X509_new());
  must(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1, "making a certificate");
  setSerial(certificate.get());
  setValidity(certificate.get(), now, validity);
  must(X509_set_pubkey(certificate.get(), key) == 1, "setting the public key");
  return certificate;
}

void sign(X509* certificate, EVP_PKEY* key) {
  must(X509_sign(certificate, key, EVP_sha256()) > 0, "signing a certificate");
}

// What server and client certificates share; `special` adds the rest before the signature.
template <class Special>
KeyPair issueLeaf(const KeyPair& authority, base::WallTime now, base::Duration validity, Special special) {
  const auto issuer = firstCertificate(authority.certificatePem);
  const auto issuerKey = openssl::readPrivateKey(authority.privateKeyPem.reveal());
  must(issuerKey != nullptr, "reading the authority's key");
  const auto key = newKey();
  const auto certificate = newCertificate(key.get(), now, validity);
  auto* leaf = certificate.get();
  must(X509_set_issuer_name(leaf, X509_get_subject_name(issuer.get())) == 1, "setting the issuer");
  addExtension(leaf, issuer.get(), NID_basic_constraints, "critical,CA:FALSE");
  addExtension(leaf, issuer.get(), NID_key_usage, "critical,digitalSignature");
  addExtension(leaf, issuer.get(), NID_subject_key_identifier, "hash");
  addExtension(leaf, issuer.get(), NID_authority_key_identifier, "keyid");
  special(leaf, issuer.get());
  sign(leaf, issuerKey.get());
  return {toPem(leaf), toPem(key.get())};
}

std::string utf8(const ASN1_STRING* text) {
  unsigned char* out = nullptr;
  const int size = ASN1_STRING_to_UTF8(&out, text);
  if (size < 0) return "";
  std::string result(reinterpret_cast<char*>(out), static_cast<std::size_t>(size));
  OPENSSL_free(out);
  return result;
}

}  // namespace

CertificateAuthority CertificateAuthority::create(std::string_view commonName, base::WallTime now,
                                                  base::Duration validity) {
  const auto key = newKey();
  const auto certificate = newCertificate(key.get(), now, validity);
  auto* root = certificate.get();
  addName(X509_get_subject_name(root), NID_commonName, commonName);
  must(X509_set_issuer_name(root, X509_get_subject_name(root)) == 1, "setting the issuer");
  addExtension(root, root, NID_basic_constraints, "critical,CA:TRUE");
  addExtension(root, root, NID_key_usage, "critical,keyCertSign,cRLSign,digitalSignature");
  addExtension(root, root, NID_subject_key_identifier, "hash");
  sign(root, key.get());
  return CertificateAuthority({toPem(root), toPem(key.get())});
}

CertificateAuthority CertificateAuthority::load(KeyPair pair) {
  const auto certificate = firstCertificate(pair.certificatePem);
  const auto key = openssl::readPrivateKey(pair.privateKeyPem.reveal());
  must(key && X509_check_private_key(certificate.get(), key.get()) == 1, "the authority's key and certificate");
  return CertificateAuthority(std::move(pair));
}

KeyPair CertificateAuthority::issue(const ServerCertificate& wanted, base::WallTime now) const {
  return issueLeaf(pair_, now, wanted.validity, [&](X509* leaf, X509* issuer) {
    addName(X509_get_subject_name(leaf), NID_commonName, wanted.commonName);
    addExtension(leaf, issuer, NID_ext_key_usage, "serverAuth");
    addAlternativeNames(leaf, wanted);
  });
}

KeyPair CertificateAuthority::issue(const ClientCertificate& wanted, base::WallTime now) const {
  return issueLeaf(pair_, now, wanted.validity, [&](X509* leaf, X509* issuer) {
    for (const auto& organization : wanted.organizations) {
      addName(X509_get_subject_name(leaf), NID_organizationName, organization);
    }
    addName(X509_get_subject_name(leaf), NID_commonName, wanted.commonName);
    addExtension(leaf, issuer, NID_ext_key_usage, "clientAuth");
  });
}

std::string fingerprintSha256(std::string_view pem) {
  const auto certificate = firstCertificate(pem);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  must(X509_digest(certificate.get(), EVP_sha256(), digest, &size) == 1, "computing the fingerprint");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{}{:02x}", i == 0 ? "" : ":", digest[i]);
  return text;
}

base::WallTime expiresAt(std::string_view pem) {
  const auto certificate = firstCertificate(pem);
  std::tm when{};
  must(ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &when) == 1, "reading the expiry");
  return base::WallTime::clock::from_time_t(::timegm(&when));
}

bool isSignedBy(std::string_view pem, std::string_view authorityPem) {
  const auto certificate = firstCertificate(pem), authority = firstCertificate(authorityPem);
  const bool issued = X509_check_issued(authority.get(), certificate.get()) == X509_V_OK;
  const bool valid = issued && X509_verify(certificate.get(), X509_get0_pubkey(authority.get())) == 1;
  ERR_clear_error();
  return valid;
}

bool fits(const KeyPair& pair) {
  const auto certificate = firstCertificate(pair.certificatePem);
  const auto key = openssl::readPrivateKey(pair.privateKeyPem.reveal());
  const bool fit = key && X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  return fit;
}

PeerIdentity openssl::identityOf(const X509* certificate) {
  PeerIdentity identity;
  auto* name = X509_get_subject_name(certificate);
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const auto* entry = X509_NAME_get_entry(name, i);
    const int kind = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    if (kind == NID_commonName) identity.commonName = utf8(X509_NAME_ENTRY_get_data(entry));
    if (kind == NID_organizationName) identity.organizations.push_back(utf8(X509_NAME_ENTRY_get_data(entry)));
  }
  return identity;
}

std::optional<base::WallTime> servesUntil(const KeyPair& pair, std::string_view authorityPem) {
  try {
    if (fits(pair) && isSignedBy(pair.certificatePem, authorityPem)) return expiresAt(pair.certificatePem);
  } catch (const CertificateError&) {  // damaged
  }
  return std::nullopt;
}

bool covers(std::string_view pem, const std::vector<std::string>& names) {
  const auto known = namesOf(pem);
  return std::ranges::all_of(names, [&](const auto& name) { return std::ranges::find(known, name) != known.end(); });
}

PeerIdentity subjectOf(std::string_view pem) { return openssl::identityOf(firstCertificate(pem).get()); }

std::vector<std::string> namesOf(std::string_view pem) {
  const auto certificate = firstCertificate(pem);
  const std::unique_ptr<GENERAL_NAMES, Owned<GENERAL_NAMES_free>> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> found;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const auto* name = sk_GENERAL_NAME_value(names.get(), i);
    const auto* data = name->type == GEN_IPADD ? name->d.iPAddress : name->d.ia5;
    const auto size = static_cast<std::size_t>(ASN1_STRING_length(data));
    const auto* bytes = ASN1_STRING_get0_data(data);
    if (name->type == GEN_DNS) found.emplace_back(reinterpret_cast<const char*>(bytes), size);
    char text[INET6_ADDRSTRLEN];
    if (name->type == GEN_IPADD && ::inet_ntop(size == 16 ? AF_INET6 : AF_INET, bytes, text, sizeof text)) {
      found.emplace_back(text);
    }
  }
  return found;
}

}  // namespace ingot::net
