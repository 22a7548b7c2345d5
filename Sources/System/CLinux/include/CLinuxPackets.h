// SPDX-License-Identifier: Apache-2.0
//
// Sockets of this machine that keep messages apart and carry descriptors, and what a thread can have of its own. The
// header of sockets declares other types with _GNU_SOURCE than without, so Swift gets functions and no header.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The most descriptors that one packet carries.
#define DARKROOM_PACKET_DESCRIPTORS 8

/// This function is provided because the addresses of sockets take casts. Listens at a path that is free
/// (`SOCK_SEQPACKET`), without ever waiting. Returns a descriptor, or -1 with errno set.
int darkroom_listen_packets(const char *path);

/// This function is provided because the addresses of sockets take casts. Connects to a path; no call on the result
/// waits longer than `seconds` to send. Returns a descriptor, or -1 with errno set.
int darkroom_connect_packets(const char *path, int seconds);

/// This function is provided because `accept4` is a GNU extension. Takes the next connection, on which no call waits.
int darkroom_accept_packets(int listener);

/// This function is provided because the macros of control messages cannot be imported. Sends one packet with
/// descriptors. Returns 0, or -1 with errno set.
int darkroom_send_packet(int socket, const void *bytes, size_t count, const int *_Nullable descriptors,
                         size_t descriptor_count);

/// This function is provided because the macros of control messages cannot be imported.
///
/// Receives one packet and the descriptors in it, at most `DARKROOM_PACKET_DESCRIPTORS`, close-on-exec; the rest is
/// closed by the kernel. Returns the number of bytes, 0 at the end, or -1 with errno set. `is_cut`: there was more.
long darkroom_receive_packet(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                             int *is_cut);

/// This function is provided because `struct ucred` is a GNU extension. Who made the other end (`SO_PEERCRED`).
int darkroom_packet_peer(int socket, int32_t *process, uint32_t *user, uint32_t *group);

/// This function is provided because the option is newer than the C library's header. A pidfd of whoever made the other
/// end (`SO_PEERPIDFD`, Linux 6.5), or -1 with errno set.
int darkroom_packet_peer_handle(int socket);

/// This function is provided because `unshare` and `CLONE_FS` are GNU extensions. Gives the calling thread a current
/// directory and a file mode mask of its own.
int darkroom_own_place(void);

/// This function is provided because the types of `sched_setaffinity` are GNU extensions. Lets the calling thread run on
/// the processors of another process only.
int darkroom_take_processors_of(int32_t process);

/// This function is provided for the same reason. Writes the set of the calling thread's processors into `set` and returns
/// its size in bytes, or -1 with errno set.
int64_t darkroom_own_processors(uint8_t *set, size_t capacity);

/// This function is provided for the same reason. Makes a thread (pthread_create(3)) that runs on another processor than the
/// calling one, if there is one; 0 or an error.
int darkroom_create_thread_beside(unsigned long *thread, void *_Nullable (*_Nonnull run)(void *_Nullable), void *argument);

/// This function is provided because `tgkill` has no wrapper, and `syscall` is variadic. Makes a thread of this process
/// that allows it come back from whatever call it waits in.
int darkroom_nudge(int32_t thread);

/// This function is provided because the handler of a signal is a C function. Lets the calling thread be nudged: the
/// signal (`SIGURG`) does nothing but interrupt a call.
int darkroom_allow_nudges(void);

/// This function is provided because `dup3` is a GNU extension. Makes a number mean another file, close-on-exec.
int darkroom_replace_descriptor(int other, int number);

#pragma clang assume_nonnull end
