// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>

#include "json.h"

/// The longest line of the protocol, without its newline.
#define MESSAGE_BYTES 65536

/// The descriptors that the host passes; -1 for one that is not there.
struct descriptors {
  int host_in;
  int host_out;
  int frames;
  int frame_event;
  int frame_done;
};

/// What has been read from the host and is no whole line yet.
struct inbox {
  char bytes[MESSAGE_BYTES + 1];
  size_t length;
};

/// Finds the descriptors by LISTEN_FDS and its kin; false if the program was not started by a host.
bool find_descriptors(struct descriptors *found);

/// Reads once and calls `handle` with each whole line; false at the end, or after a line that is too long.
bool read_messages(int descriptor, struct inbox *inbox, void (*handle)(struct json line, void *context),
                   void *context);

/// Writes a line, given as for printf and without its newline.
void send_message(int descriptor, const char *format, ...) __attribute__((format(printf, 2, 3)));
