// SPDX-License-Identifier: Apache-2.0
//
// Each function here is provided because Swift sees neither variadic functions nor macros that look like functions.
#pragma once

#define GCRYPT_NO_DEPRECATED
#include <gcrypt.h>

/// Makes the library ready, once in a process and before anything else of it; 0: it is another one than this was built for.
/// Memory that cannot be swapped is not set aside: nothing here is secret for longer than its caller keeps it.
static inline int darkroom_gcrypt_start(void) {
  if (!gcry_check_version(GCRYPT_VERSION)) return 0;
  gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
  return 1;
}

/// Whether two runs of bytes are the same, in a time that depends on their length only.
static inline int darkroom_gcrypt_are_same(const void *_Nonnull one, const void *_Nonnull other, unsigned long count) {
  volatile unsigned char difference = 0;
  for (unsigned long i = 0; i < count; i++) {
    difference = difference | (((const unsigned char *)one)[i] ^ ((const unsigned char *)other)[i]);
  }
  return difference == 0;
}
