// SPDX-License-Identifier: Apache-2.0
//
// What a host can have lying about: sockets that listen, memory that is shared, terminals. The headers of sockets declare
// other types with _GNU_SOURCE than without, so Swift gets functions and no header.
#pragma once
#include <errno.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// This function is provided because the addresses of sockets take casts. Listens on a free TCP port of 127.0.0.1.
///
/// Returns a descriptor, or -1 with errno set.
int darkroom_listen_loopback(uint16_t *port);

/// This function is provided because the addresses of sockets take casts. Listens at a path, open to everybody, or in
/// the abstract name space. Returns a descriptor, or -1 with errno set.
int darkroom_listen_unix(const char *name, int is_abstract);

/// This function is provided because the addresses of sockets take casts. Receives datagrams at a path, open to everybody, or in
/// the abstract name space. Returns a descriptor, or -1 with errno set.
int darkroom_receive_datagrams(const char *name, int is_abstract);

/// This function is provided because the requests to a terminal are macros, and `ioctl` is variadic. Opens a new
/// pseudoterminal that is nobody's controlling terminal. Returns a descriptor, or -1 with errno set.
int darkroom_open_terminal(void);

/// This function is provided because the header of System V memory differs with `_GNU_SOURCE`. Makes a page of shared
/// memory that everybody may attach to. Returns its number, or -1 with errno set.
int darkroom_make_segment(int key);

/// This function is provided because the header of System V memory differs with `_GNU_SOURCE`. Removes shared memory.
void darkroom_remove_segment(int segment);

/// This function is provided because `fcntl` is variadic and the lock of a range is a structure. Takes both kinds of
/// locks of a file, such that others may read. Returns 0, or -1 with errno set.
int darkroom_share_lock(int file);

/// This function is provided because the C library has no wrapper for keys, and `syscall` is variadic. Gives this thread
/// a session keyring of its own with a key in it. Returns the key's number, or -1 with errno set.
int darkroom_hold_key(const char *name);

#pragma clang assume_nonnull end
