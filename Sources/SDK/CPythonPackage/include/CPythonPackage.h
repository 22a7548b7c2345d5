// SPDX-License-Identifier: Apache-2.0

#ifndef DARKROOM_CPYTHONPACKAGE_H
#define DARKROOM_CPYTHONPACKAGE_H

#include <stddef.h>

/// A module of the Python package that was embedded when the program was built.
struct python_module {
  /// The file name, or a null pointer after the last file.
  const char *_Nullable name;
  /// The first byte.
  const unsigned char *_Nullable bytes;
  /// The number of bytes.
  size_t count;
};

/// Returns a module of the Python package for extensions; the first has the index 0.
struct python_module python_module(size_t index);

#endif
