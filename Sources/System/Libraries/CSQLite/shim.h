// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <sqlite3.h>

/// What of SQLite is used; every name begins with sqlite3_.
#define DARKROOM_SQLITE_FUNCTIONS(X)                                                                                  \
  X(bind_int64)                                                                                                       \
  X(bind_null)                                                                                                        \
  X(bind_text)                                                                                                        \
  X(busy_timeout)                                                                                                     \
  X(changes64)                                                                                                        \
  X(clear_bindings)                                                                                                   \
  X(close_v2)                                                                                                         \
  X(column_bytes)                                                                                                     \
  X(column_int64)                                                                                                     \
  X(column_text)                                                                                                      \
  X(errmsg)                                                                                                           \
  X(exec)                                                                                                             \
  X(extended_result_codes)                                                                                            \
  X(finalize)                                                                                                         \
  X(get_autocommit)                                                                                                   \
  X(open_v2)                                                                                                          \
  X(prepare_v3)                                                                                                       \
  X(reset)                                                                                                            \
  X(step)

/// The functions of SQLite, once it is loaded.
struct darkroom_sqlite {
#define DARKROOM_SQLITE_MEMBER(name) __typeof__(&sqlite3_##name) _Nonnull name;
  DARKROOM_SQLITE_FUNCTIONS(DARKROOM_SQLITE_MEMBER)
#undef DARKROOM_SQLITE_MEMBER
};

/// Loads SQLite: 0, or -1. This function is provided because the library is loaded with the first photo library that is
/// opened: it would otherwise be loaded by every command.
static inline int darkroom_sqlite_load(struct darkroom_sqlite *_Nonnull library) {
  void *handle = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_SQLITE_LOAD(name)                                                                                    \
  if (!(found = dlsym(handle, "sqlite3_" #name))) return -1;                                                          \
  library->name = (__typeof__(&sqlite3_##name))found;
  DARKROOM_SQLITE_FUNCTIONS(DARKROOM_SQLITE_LOAD)
#undef DARKROOM_SQLITE_LOAD
  return 0;
}
