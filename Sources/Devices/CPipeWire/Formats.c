// SPDX-License-Identifier: Apache-2.0

#include "Formats.h"

#include <linux/videodev2.h>
#include <spa/debug/types.h>
#include <spa/param/format.h>
#include <spa/param/param.h>
#include <spa/param/video/raw.h>
#include <spa/param/video/type-info.h>
#include <spa/pod/iter.h>

/// The pixel formats that can be converted, as SPA and V4L2 name them.
static const struct {
  uint32_t spa;
  uint32_t pixels;
} layouts[] = {
    {SPA_VIDEO_FORMAT_I420, V4L2_PIX_FMT_YUV420}, {SPA_VIDEO_FORMAT_YV12, V4L2_PIX_FMT_YVU420},
    {SPA_VIDEO_FORMAT_NV12, V4L2_PIX_FMT_NV12},   {SPA_VIDEO_FORMAT_YUY2, V4L2_PIX_FMT_YUYV},
    {SPA_VIDEO_FORMAT_UYVY, V4L2_PIX_FMT_UYVY},   {SPA_VIDEO_FORMAT_YVYU, V4L2_PIX_FMT_YVYU},
    {SPA_VIDEO_FORMAT_RGB, V4L2_PIX_FMT_RGB24},   {SPA_VIDEO_FORMAT_BGR, V4L2_PIX_FMT_BGR24},
    {SPA_VIDEO_FORMAT_GRAY8, V4L2_PIX_FMT_GREY},
};
enum { layout_count = sizeof layouts / sizeof *layouts };

/// The maximum number of sizes and pixel formats of one format that are read.
enum { most_values = 64 };

/// Returns a four-character code for a format that cannot be converted, for messages.
static uint32_t fourcc_of(const struct spa_type_info *names, uint32_t value) {
  const char *name = spa_debug_type_find_short_name(names, value);
  uint32_t code = 0;
  for (unsigned index = 0; index < 4; index++) {
    unsigned char letter = name && *name ? (unsigned char)*name++ : ' ';
    if (letter >= 'a' && letter <= 'z') letter -= 'a' - 'A';
    code |= (uint32_t)letter << 8 * index;
  }
  return code;
}

/// Returns the V4L2 code of an SPA format.
static uint32_t pixels_of(uint32_t spa) {
  for (size_t index = 0; index < layout_count; index++)
    if (layouts[index].spa == spa) return layouts[index].pixels;
  return fourcc_of(spa_type_video_format, spa);
}

/// Returns the values of a property and the type of the choice, or NULL if the property does not exist or has
/// another type.
static const void *values_of(const struct spa_pod *pod, uint32_t key, uint32_t type, uint32_t *count,
                             uint32_t *choice) {
  const struct spa_pod_prop *property = spa_pod_find_prop(pod, NULL, key);
  if (!property) return NULL;
  const struct spa_pod *value = spa_pod_get_values(&property->value, count, choice);
  if (*count == 0 || SPA_POD_TYPE(value) != type) return NULL;
  // The first value of an enumeration is the default, which the enumeration contains again.
  const size_t size = SPA_POD_BODY_SIZE(value);
  if (*choice == SPA_CHOICE_None || *choice == SPA_CHOICE_Range || *choice == SPA_CHOICE_Step || *count == 1)
    return SPA_POD_BODY(value);
  *count -= 1;
  return SPA_PTROFF(SPA_POD_BODY(value), size, const void);
}

/// Reads the rates.
static void read_rates(const struct spa_pod *pod, struct darkroom_pipewire_format *format) {
  uint32_t count, choice;
  const struct spa_fraction *rates = values_of(pod, SPA_FORMAT_VIDEO_framerate, SPA_TYPE_Fraction, &count, &choice);
  if (!rates) return;
  format->is_rate_range = (choice == SPA_CHOICE_Range || choice == SPA_CHOICE_Step) && count >= 3;
  // Only the ends of a range are stored.
  if (format->is_rate_range) rates++, count = 2;
  for (uint32_t index = 0; index < count && index < darkroom_pipewire_max_rates; index++) {
    format->rates[index][0] = rates[index].num;
    format->rates[index][1] = rates[index].denom;
    format->rate_count++;
  }
}

/// Appends a format for each size.
static size_t read_sizes(const struct spa_pod *pod, const struct darkroom_pipewire_format *common,
                         struct darkroom_pipewire_format *formats, size_t max_count) {
  uint32_t count, choice;
  const struct spa_rectangle *sizes = values_of(pod, SPA_FORMAT_VIDEO_size, SPA_TYPE_Rectangle, &count, &choice);
  if (!sizes || max_count == 0) return 0;
  if ((choice == SPA_CHOICE_Range || choice == SPA_CHOICE_Step) && count >= 3) {
    const struct spa_rectangle step = choice == SPA_CHOICE_Step && count >= 4 ? sizes[3] : SPA_RECTANGLE(1, 1);
    *formats = *common;
    memcpy(formats->width, (uint32_t[]){sizes[1].width, sizes[2].width, step.width}, sizeof formats->width);
    memcpy(formats->height, (uint32_t[]){sizes[1].height, sizes[2].height, step.height}, sizeof formats->height);
    return 1;
  }
  size_t found = 0;
  for (; found < count && found < max_count && found < most_values; found++) {
    formats[found] = *common;
    memcpy(formats[found].width, (uint32_t[]){sizes[found].width, sizes[found].width, 1}, sizeof formats->width);
    memcpy(formats[found].height, (uint32_t[]){sizes[found].height, sizes[found].height, 1}, sizeof formats->height);
  }
  return found;
}

size_t darkroom_formats_read(const struct spa_pod *pod, struct darkroom_pipewire_format *formats, size_t max_count) {
  uint32_t type = 0, kind = 0, count, choice;
  if (!pod || !spa_pod_is_object_type(pod, SPA_TYPE_OBJECT_Format)) return 0;
  const uint32_t *found = values_of(pod, SPA_FORMAT_mediaType, SPA_TYPE_Id, &count, &choice);
  if (found) type = *found;
  found = values_of(pod, SPA_FORMAT_mediaSubtype, SPA_TYPE_Id, &count, &choice);
  if (found) kind = *found;
  // Buffers with a DRM modifier can be read only by a GPU.
  if (type != SPA_MEDIA_TYPE_video || spa_pod_find_prop(pod, NULL, SPA_FORMAT_VIDEO_modifier)) return 0;
  struct darkroom_pipewire_format common = {.is_full_range = -1};
  read_rates(pod, &common);
  if (kind != SPA_MEDIA_SUBTYPE_raw) {
    common.pixels = kind == SPA_MEDIA_SUBTYPE_mjpg ? V4L2_PIX_FMT_MJPEG : fourcc_of(spa_type_media_subtype, kind);
    return read_sizes(pod, &common, formats, max_count);
  }
  const uint32_t *range = values_of(pod, SPA_FORMAT_VIDEO_colorRange, SPA_TYPE_Id, &count, &choice);
  if (range && *range != SPA_VIDEO_COLOR_RANGE_UNKNOWN)
    common.is_full_range = *range == SPA_VIDEO_COLOR_RANGE_0_255;
  const uint32_t *names = values_of(pod, SPA_FORMAT_VIDEO_format, SPA_TYPE_Id, &count, &choice);
  size_t total = 0;
  for (uint32_t index = 0; names && index < count && index < most_values; index++) {
    common.pixels = pixels_of(names[index]);
    total += read_sizes(pod, &common, formats + total, max_count - total);
  }
  return total;
}

/// Starts a format object. The builder refers to `frame` until the object is complete.
static void begin(struct spa_pod_builder *builder, struct spa_pod_frame *frame, uint32_t kind) {
  spa_pod_builder_push_object(builder, frame, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat);
  spa_pod_builder_add(builder, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
                      SPA_POD_Id(kind), 0);
}

/// Adds a choice of any rate, with a preferred one.
static void add_any_rate(struct spa_pod_builder *builder, struct spa_fraction wanted) {
  spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_framerate,
                      SPA_POD_CHOICE_RANGE_Fraction(&wanted, &SPA_FRACTION(0, 1), &SPA_FRACTION(1000, 1)), 0);
}

uint32_t darkroom_formats_write(struct spa_pod_builder *builder, const struct darkroom_pipewire_format *wanted,
                                const struct spa_pod *params[darkroom_max_params]) {
  const struct spa_rectangle size = {wanted->width[0], wanted->height[0]};
  const struct spa_fraction rate = {wanted->rates[0][0], wanted->rates[0][1]};
  const bool is_raw = wanted->pixels != V4L2_PIX_FMT_MJPEG;
  uint32_t layout = SPA_VIDEO_FORMAT_I420, count = 0;
  for (size_t index = 0; index < layout_count; index++)
    if (layouts[index].pixels == wanted->pixels) layout = layouts[index].spa;
  struct spa_pod_frame frame;
  // The requested format, first with the requested rate, then with any.
  for (int is_any = 0; is_any < 2; is_any++) {
    begin(builder, &frame, is_raw ? SPA_MEDIA_SUBTYPE_raw : SPA_MEDIA_SUBTYPE_mjpg);
    if (is_raw) spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_format, SPA_POD_Id(layout), 0);
    spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_size, SPA_POD_Rectangle(&size), 0);
    if (is_any)
      add_any_rate(builder, rate);
    else
      spa_pod_builder_add(builder, SPA_FORMAT_VIDEO_framerate, SPA_POD_Fraction(&rate), 0);
    params[count++] = spa_pod_builder_pop(builder, &frame);
  }
  // Any other format, so that a camera whose format changes can be distinguished from one that fails.
  for (int is_jpeg = 0; is_jpeg < 2; is_jpeg++) {
    begin(builder, &frame, is_jpeg ? SPA_MEDIA_SUBTYPE_mjpg : SPA_MEDIA_SUBTYPE_raw);
    if (!is_jpeg) {
      struct spa_pod_frame choice;
      spa_pod_builder_prop(builder, SPA_FORMAT_VIDEO_format, 0);
      spa_pod_builder_push_choice(builder, &choice, SPA_CHOICE_Enum, 0);
      spa_pod_builder_id(builder, layout);
      for (size_t index = 0; index < layout_count; index++) spa_pod_builder_id(builder, layouts[index].spa);
      spa_pod_builder_pop(builder, &choice);
    }
    spa_pod_builder_add(
        builder, SPA_FORMAT_VIDEO_size,
        SPA_POD_CHOICE_RANGE_Rectangle(&size, &SPA_RECTANGLE(1, 1), &SPA_RECTANGLE(65535, 65535)), 0);
    add_any_rate(builder, rate);
    params[count++] = spa_pod_builder_pop(builder, &frame);
  }
  return count;
}

size_t darkroom_formats_planes(const struct darkroom_pipewire_format *format,
                               struct darkroom_plane planes[darkroom_max_planes]) {
  const size_t width = format->width[0], height = format->height[0];
  switch (format->pixels) {
    case V4L2_PIX_FMT_YUV420:
    case V4L2_PIX_FMT_YVU420:
      planes[0] = (struct darkroom_plane){width, height};
      planes[1] = planes[2] = (struct darkroom_plane){width / 2, height / 2};
      return 3;
    case V4L2_PIX_FMT_NV12:
      planes[0] = (struct darkroom_plane){width, height};
      planes[1] = (struct darkroom_plane){width, height / 2};
      return 2;
    case V4L2_PIX_FMT_YUYV:
    case V4L2_PIX_FMT_UYVY:
    case V4L2_PIX_FMT_YVYU:
      planes[0] = (struct darkroom_plane){2 * width, height};
      return 1;
    case V4L2_PIX_FMT_RGB24:
    case V4L2_PIX_FMT_BGR24:
      planes[0] = (struct darkroom_plane){3 * width, height};
      return 1;
    case V4L2_PIX_FMT_GREY:
      planes[0] = (struct darkroom_plane){width, height};
      return 1;
    default:
      return 0;
  }
}
