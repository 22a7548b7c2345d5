// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPipeWire.h"

#include <spa/pod/builder.h>
#include <spa/pod/pod.h>

/// Reads a format, which can stand for several sizes and layouts; appends at most `most` and returns how many.
size_t darkroom_formats_read(const struct spa_pod *pod, struct darkroom_pipewire_format *formats, size_t most);

/// The most that darkroom_formats_write() writes.
enum { darkroom_most_wishes = 4 };

/// Writes what a stream of a camera can take, what is wanted most first; returns how many there are.
uint32_t darkroom_formats_write(struct spa_pod_builder *builder, const struct darkroom_pipewire_format *wanted,
                                const struct spa_pod *wishes[darkroom_most_wishes]);

/// A plane of a frame.
struct darkroom_plane {
  /// Bytes of a row.
  size_t row;
  /// Rows.
  size_t rows;
};

/// The most planes of a layout.
enum { darkroom_most_planes = 3 };

/// The planes of a frame in a format; 0: it has a length that depends on what is to be seen.
size_t darkroom_formats_planes(const struct darkroom_pipewire_format *format,
                               struct darkroom_plane planes[darkroom_most_planes]);
