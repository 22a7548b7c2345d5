// SPDX-License-Identifier: Apache-2.0
//
// Local sockets that preserve message boundaries and carry descriptors, and attributes of single threads. The
// socket headers declare other types with _GNU_SOURCE than without, so Swift imports functions instead of the
// headers.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The maximum number of descriptors in one packet.
#define DARKROOM_PACKET_DESCRIPTORS 8

/// This function is provided because socket addresses need casts. Listens at an unused path
/// (`SOCK_SEQPACKET`, nonblocking). Returns a descriptor, or -1 with errno set.
int darkroom_listen_packets(const char *path);

/// This function is provided because socket addresses need casts. Listens at an unused path (`SOCK_STREAM`,
/// nonblocking). Returns a descriptor, or -1 with errno set.
int darkroom_listen_stream(const char *path);

/// This function is provided because socket addresses need casts. Connects to a path. No call on the socket
/// waits longer than `seconds` to send. Returns a descriptor, or -1 with errno set.
int darkroom_connect_packets(const char *path, int seconds);

/// This function is provided because `accept4` is a GNU extension. Accepts the next connection, which is
/// nonblocking.
int darkroom_accept_packets(int listener);

/// This function is provided because the macros for control messages cannot be imported. Sends one packet
/// with descriptors. Returns 0, or -1 with errno set.
int darkroom_send_packet(int socket, const void *bytes, size_t count, const int *_Nullable descriptors,
                         size_t descriptor_count);

/// This function is provided because the macros for control messages cannot be imported.
///
/// Receives one packet and at most `DARKROOM_PACKET_DESCRIPTORS` descriptors, close-on-exec. Further
/// descriptors are closed. Returns the number of bytes, 0 at the end, or -1 with errno set. `is_cut` is set
/// if the packet was truncated.
long darkroom_receive_packet(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                             int *is_cut);

/// This function is provided because `struct ucred` is a GNU extension. Stores the credentials of the process
/// that created the other end (`SO_PEERCRED`). Returns 0, or -1 with errno set.
int darkroom_packet_peer(int socket, int32_t *process, uint32_t *user, uint32_t *group);

/// This function is provided because the option is newer than the C library's header. Returns a pidfd of the
/// process that created the other end (`SO_PEERPIDFD`, Linux 6.5), or -1 with errno set.
int darkroom_packet_peer_handle(int socket);

/// This function is provided because `unshare` and `CLONE_FS` are GNU extensions. Gives the calling thread
/// its own current directory and file mode mask. Returns 0, or -1 with errno set.
int darkroom_unshare_fs(void);

/// This function is provided because the types of `sched_setaffinity` are GNU extensions. Restricts the
/// calling thread to the processors of another process.
int darkroom_copy_affinity(int32_t process);

/// This function is provided for the same reason. Writes the processor set of the calling thread into `set`.
/// Returns its size in bytes, or -1 with errno set.
int64_t darkroom_get_affinity(uint8_t *set, size_t capacity);

/// This function is provided for the same reason. Creates a thread (pthread_create(3)) that runs on another
/// processor than the calling thread, if available. Returns 0 or an error number.
int darkroom_create_thread_on_other_processor(unsigned long *thread, void *_Nullable (*_Nonnull run)(void *_Nullable), void *argument);

/// This function is provided because `tgkill` has no wrapper, and `syscall` is variadic. Interrupts the call
/// that a thread of this process waits in, if the thread permits it.
int darkroom_interrupt_thread(int32_t thread);

/// This function is provided because a signal handler is a C function. Lets the calling thread be
/// interrupted: the handler of the signal (`SIGURG`) does nothing except interrupt a call.
int darkroom_allow_interrupts(void);

/// This function is provided because `dup3` is a GNU extension. Makes `number` a close-on-exec duplicate of
/// `other`.
int darkroom_replace_descriptor(int other, int number);

#pragma clang assume_nonnull end
