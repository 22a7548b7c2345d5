// SPDX-License-Identifier: Apache-2.0

#ifndef DARKROOM_CINTERFACEFILES_H
#define DARKROOM_CINTERFACEFILES_H

#include <stddef.h>

/// A description of an interface, embedded when the program was built.
struct interface_file {
  /// The first byte, or a null pointer if no file has the name.
  const unsigned char *_Nullable bytes;
  /// The number of bytes.
  size_t count;
};

/// Returns the OpenRPC document or the description of D-Bus interfaces with this file name.
struct interface_file interface_file(const char *_Nonnull name);

#endif
