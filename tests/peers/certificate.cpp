#include "tests/peers/certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace pitboss::tests {

namespace {

void expect(bool holds) {
  if (!holds) throw std::runtime_error("no certificate for a test");
}

template <class Write>
void write_pem(const std::string& file, Write write) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "w"),
                                                            std::fclose);
  expect(out && write(out.get()) == 1);
}

void add(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, void (*)(X509_EXTENSION*)> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value), X509_EXTENSION_free);
  expect(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

}  // namespace

Certificate::Certificate(std::chrono::seconds valid, std::chrono::seconds since)
    : valid_(valid), since_(since) {
  renew();
}

void Certificate::renew() {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> made(X509_new(), X509_free);
  expect(key && made);
  X509* const certificate = made.get();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), static_cast<long>(since_.count()));
  X509_gmtime_adj(X509_getm_notAfter(certificate), static_cast<long>(valid_.count()));
  X509_NAME* const name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_set_pubkey(certificate, key.get());
  add(certificate, NID_basic_constraints, "critical,CA:TRUE");
  add(certificate, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  expect(X509_sign(certificate, key.get(), EVP_sha256()) > 0);
  write_pem(file(), [&](std::FILE* out) { return PEM_write_X509(out, certificate); });
  write_pem(this->key(), [&](std::FILE* out) {
    return PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
}

}  // namespace pitboss::tests
