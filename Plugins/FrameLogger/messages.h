// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>

#include "json.h"

/// The maximum length of a line of the protocol, without its newline.
#define MESSAGE_BYTES 65536

/// The descriptors that the host passes, or -1 for a missing one.
struct descriptors {
  int host_in;
  int host_out;
  int frames;
  int frame_event;
  int frame_done;
};

/// Input from the host that does not form a complete line yet.
struct inbox {
  char bytes[MESSAGE_BYTES + 1];
  size_t length;
};

/// Finds the descriptors from LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES. Returns false if the program was not
/// started by a host.
bool find_descriptors(struct descriptors *found);

/// Reads once and calls `handle` for each complete line. Returns false at the end of the input, or if a line
/// is too long.
bool read_messages(int descriptor, struct inbox *inbox, void (*handle)(struct json line, void *context),
                   void *context);

/// Writes a line, formatted like printf(3), without its newline.
void send_message(int descriptor, const char *format, ...) __attribute__((format(printf, 2, 3)));
