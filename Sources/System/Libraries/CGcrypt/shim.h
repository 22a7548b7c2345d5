// SPDX-License-Identifier: Apache-2.0
//
// Swift imports neither variadic functions nor function-like macros; the functions of this file call them.
#pragma once

#define GCRYPT_NO_DEPRECATED
#include <gcrypt.h>

/// Initializes the library. Call once per process, before all other functions. Returns 1, or 0 if the loaded version is older
/// than the headers of the build. Secure memory (which is never swapped) is disabled, because callers keep the secrets in
/// regular memory anyway.
static inline int darkroom_gcrypt_start(void) {
  if (!gcry_check_version(GCRYPT_VERSION)) return 0;
  gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
  return 1;
}

/// Calculates the public key of an Ed25519 private key (RFC 8032), which is the 32 bytes of its seed. Returns 1, or 0 on failure.
static inline int darkroom_ed25519_public_key(const unsigned char *_Nonnull seed, unsigned char *_Nonnull public_key) {
  gcry_sexp_t parameters = NULL;
  gcry_ctx_t context = NULL;
  gcry_mpi_t point = NULL;
  unsigned int bits = 0;
  int is_done = 0;
  if (!gcry_sexp_build(&parameters, NULL, "(private-key (ecc (curve Ed25519) (flags eddsa) (d %b)))", 32, seed) &&
      !gcry_mpi_ec_new(&context, parameters, NULL) && (point = gcry_mpi_ec_get_mpi("q@eddsa", context, 0))) {
    const unsigned char *bytes = gcry_mpi_get_opaque(point, &bits);
    if (bytes && bits == 256) {
      for (int i = 0; i < 32; i++) public_key[i] = bytes[i];
      is_done = 1;
    }
  }
  gcry_mpi_release(point);
  gcry_ctx_release(context);
  gcry_sexp_release(parameters);
  return is_done;
}

/// Copies one of the two parts of an Ed25519 signature. Returns 1, or 0 on failure.
static inline int darkroom_ed25519_part(gcry_sexp_t _Nonnull signature, const char *_Nonnull name,
                                        unsigned char *_Nonnull part) {
  gcry_sexp_t found = gcry_sexp_find_token(signature, name, 0);
  size_t length = 0;
  const char *bytes = found ? gcry_sexp_nth_data(found, 1, &length) : NULL;
  int is_done = bytes && length == 32;
  for (int i = 0; is_done && i < 32; i++) part[i] = (unsigned char)bytes[i];
  gcry_sexp_release(found);
  return is_done;
}

/// Signs a message with Ed25519; the signature has 64 bytes. Returns 1, or 0 on failure.
static inline int darkroom_ed25519_sign(const unsigned char *_Nonnull seed, const unsigned char *_Nonnull public_key,
                                        const unsigned char *_Nonnull message, int length,
                                        unsigned char *_Nonnull signature) {
  gcry_sexp_t key = NULL, data = NULL, result = NULL;
  int is_done =
    !gcry_sexp_build(&key, NULL, "(private-key (ecc (curve Ed25519) (flags eddsa) (q %b) (d %b)))", 32, public_key, 32,
                     seed) &&
    !gcry_sexp_build(&data, NULL, "(data (flags eddsa) (hash-algo sha512) (value %b))", length, message) &&
    !gcry_pk_sign(&result, data, key) && darkroom_ed25519_part(result, "r", signature) &&
    darkroom_ed25519_part(result, "s", signature + 32);
  gcry_sexp_release(result);
  gcry_sexp_release(data);
  gcry_sexp_release(key);
  return is_done;
}

/// Verifies an Ed25519 signature of 64 bytes. Returns 1 if the key made the signature for the message.
static inline int darkroom_ed25519_verify(const unsigned char *_Nonnull public_key,
                                          const unsigned char *_Nonnull message, int length,
                                          const unsigned char *_Nonnull signature) {
  gcry_sexp_t key = NULL, data = NULL, value = NULL;
  int is_right =
    !gcry_sexp_build(&key, NULL, "(public-key (ecc (curve Ed25519) (flags eddsa) (q %b)))", 32, public_key) &&
    !gcry_sexp_build(&data, NULL, "(data (flags eddsa) (hash-algo sha512) (value %b))", length, message) &&
    !gcry_sexp_build(&value, NULL, "(sig-val (eddsa (r %b) (s %b)))", 32, signature, 32, signature + 32) &&
    !gcry_pk_verify(value, data, key);
  gcry_sexp_release(value);
  gcry_sexp_release(data);
  gcry_sexp_release(key);
  return is_right;
}

/// Compares two byte arrays of the same length in constant time: the duration depends only on the length.
static inline int darkroom_gcrypt_are_same(const void *_Nonnull one, const void *_Nonnull other, unsigned long count) {
  volatile unsigned char difference = 0;
  for (unsigned long i = 0; i < count; i++) {
    difference = difference | (((const unsigned char *)one)[i] ^ ((const unsigned char *)other)[i]);
  }
  return difference == 0;
}
