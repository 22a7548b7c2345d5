// SPDX-License-Identifier: Apache-2.0

#ifndef DARKROOM_CPOLICYFILES_H
#define DARKROOM_CPOLICYFILES_H

#include <stddef.h>

/// A file of the directory `Policies`, embedded when the program was built.
struct policy_file {
  /// The first byte, or a null pointer if no file has the name.
  const unsigned char *_Nullable bytes;
  /// The number of bytes.
  size_t count;
};

/// Returns the file with this name.
struct policy_file policy_file(const char *_Nonnull name);

#endif
