// SPDX-License-Identifier: Apache-2.0
//
// Decoys: listening sockets, shared memory and terminals, such as a host may have open. The socket headers
// declare other types with _GNU_SOURCE than without, so Swift imports functions instead of the headers.
#pragma once
#include <errno.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// This function is provided because socket addresses need casts. Listens on a free TCP port of 127.0.0.1.
///
/// Returns a descriptor, or -1 with errno set.
int darkroom_listen_loopback(uint16_t *port);

/// This function is provided because socket addresses need casts. Listens at a path that every user may
/// connect to, or at an abstract name. Returns a descriptor, or -1 with errno set.
int darkroom_listen_unix(const char *name, int is_abstract);

/// This function is provided because socket addresses need casts. Binds a datagram socket to a path that
/// every user may send to, or to an abstract name. Returns a descriptor, or -1 with errno set.
int darkroom_receive_datagrams(const char *name, int is_abstract);

/// This function is provided because terminal requests are macros, and `ioctl` is variadic. Opens a new
/// pseudoterminal that is not the controlling terminal of any process. Returns a descriptor, or -1 with errno
/// set.
int darkroom_open_terminal(void);

/// This function is provided because the header of System V memory differs with `_GNU_SOURCE`. Creates a page
/// of shared memory that every user may attach. Returns its ID, or -1 with errno set.
int darkroom_make_segment(int key);

/// This function is provided because the header of System V memory differs with `_GNU_SOURCE`. Removes a
/// shared memory segment.
void darkroom_remove_segment(int segment);

/// This function is provided because `fcntl` is variadic and a record lock is a structure. Takes a shared
/// lock of each kind on a file: flock(2) and an open file description lock. Returns 0, or -1 with errno set.
int darkroom_share_lock(int file);

/// This function is provided because the C library has no wrapper for keys, and `syscall` is variadic. Gives
/// the calling thread a new session keyring with one key. Returns the ID of the key, or -1 with errno set.
int darkroom_add_key(const char *name);

#pragma clang assume_nonnull end
