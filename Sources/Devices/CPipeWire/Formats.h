// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPipeWire.h"

#include <spa/pod/builder.h>
#include <spa/pod/pod.h>

/// Reads a format, which can include several sizes and pixel formats. Appends at most `max_count` formats, and
/// returns their number.
size_t darkroom_formats_read(const struct spa_pod *pod, struct darkroom_pipewire_format *formats, size_t max_count);

/// The maximum number of formats that darkroom_formats_write() writes.
enum { darkroom_max_params = 4 };

/// Writes the formats that a stream accepts, in order of preference, and returns their number.
uint32_t darkroom_formats_write(struct spa_pod_builder *builder, const struct darkroom_pipewire_format *wanted,
                                const struct spa_pod *params[darkroom_max_params]);

/// A plane of a frame.
struct darkroom_plane {
  /// Bytes per row.
  size_t row;
  /// The number of rows.
  size_t rows;
};

/// The maximum number of planes of a pixel format.
enum { darkroom_max_planes = 3 };

/// Stores the planes of a frame in a format, and returns their number, or 0 if the size of a frame depends on
/// its content.
size_t darkroom_formats_planes(const struct darkroom_pipewire_format *format,
                               struct darkroom_plane planes[darkroom_max_planes]);
