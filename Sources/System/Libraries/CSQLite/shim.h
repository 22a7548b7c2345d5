// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <sqlite3.h>

/// The functions of SQLite that Darkroom uses, without their prefix `sqlite3_`.
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

/// Pointers to the functions of SQLite, which is loaded on first use.
struct darkroom_sqlite {
#define DARKROOM_SQLITE_MEMBER(name) __typeof__(&sqlite3_##name) _Nonnull name;
  DARKROOM_SQLITE_FUNCTIONS(DARKROOM_SQLITE_MEMBER)
#undef DARKROOM_SQLITE_MEMBER
};

/// Loads SQLite. Returns 0, or -1 on failure. Called when the first photo library is opened, so that other commands do not
/// load SQLite.
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
