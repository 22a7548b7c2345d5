// SPDX-License-Identifier: Apache-2.0
//
// darkroom-made-up-camera NAME: a simulated PipeWire camera whose pixels have the configured brightness. The
// camera identifies itself as a Video4Linux device and exposes controls of such a device.

#include <pipewire/pipewire.h>
#include <signal.h>
#include <spa/param/props.h>
#include <spa/param/video/format-utils.h>
#include <stdio.h>

enum { width = 320, height = 240, rate = 15, bytes = width * height * 3 / 2 };

/// The settable properties, in the order of `properties`.
enum { brightness, contrast, gain, focus, automatic_focus, lamp, property_count };

/// The ID of a Video4Linux control that PipeWire does not define.
#define V4L2_CONTROL(control) (SPA_PROP_START_CUSTOM + (control))

static const struct property {
  uint32_t id;
  const char *title;
  int minimum, maximum, step, default_value;
} properties[property_count] = {
    [brightness] = {SPA_PROP_brightness, "Brightness", -100, 100, 1, 0},
    // In hundredths, because the value is a fraction.
    [contrast] = {SPA_PROP_contrast, "Contrast", 0, 200, 0, 100},
    // Only multiples of 4 take effect, although the announced step is 1.
    [gain] = {SPA_PROP_gain, "Gain", 0, 100, 1, 0},
    [focus] = {V4L2_CONTROL(0x9a090a), "Focus, Absolute", 0, 250, 5, 40},
    [automatic_focus] = {V4L2_CONTROL(0x9a090c), "Focus, Automatic Continuous", 0, 1, 1, 1},
    // A control that extensions may not set.
    [lamp] = {V4L2_CONTROL(0x0a046d05), "LED1 Mode", 0, 3, 1, 0},
};

/// The state of the camera.
struct camera {
  struct pw_main_loop *loop;
  struct pw_stream *stream;
  /// The current and the requested values. A request takes effect with the next frame.
  int values[property_count], requested[property_count];
  bool has_pending_change;
};

/// Builds the description of a property.
static const struct spa_pod *build_property_info(struct spa_pod_builder *builder, const struct property *property) {
  struct spa_pod_frame frame;
  spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_PropInfo, SPA_PARAM_PropInfo);
  spa_pod_builder_add(builder, SPA_PROP_INFO_id, SPA_POD_Id(property->id), SPA_PROP_INFO_description,
                      SPA_POD_String(property->title), 0);
  if (property == &properties[automatic_focus])
    spa_pod_builder_add(builder, SPA_PROP_INFO_type, SPA_POD_CHOICE_Bool(property->default_value), 0);
  else if (property == &properties[contrast])
    spa_pod_builder_add(builder, SPA_PROP_INFO_type,
                        SPA_POD_CHOICE_RANGE_Float(property->default_value / 100.0, property->minimum / 100.0,
                                                   property->maximum / 100.0), 0);
  else
    spa_pod_builder_add(builder, SPA_PROP_INFO_type,
                        SPA_POD_CHOICE_STEP_Int(property->default_value, property->minimum, property->maximum, property->step),
                        0);
  return spa_pod_builder_pop(builder, &frame);
}

/// Builds the current values of all properties.
static const struct spa_pod *build_props(struct spa_pod_builder *builder, const struct camera *camera) {
  struct spa_pod_frame frame;
  spa_pod_builder_push_object(builder, &frame, SPA_TYPE_OBJECT_Props, SPA_PARAM_Props);
  for (int index = 0; index < property_count; index++) {
    spa_pod_builder_prop(builder, properties[index].id, 0);
    if (index == automatic_focus)
      spa_pod_builder_bool(builder, camera->values[index]);
    else if (index == contrast)
      spa_pod_builder_float(builder, camera->values[index] / 100.0f);
    else
      spa_pod_builder_int(builder, camera->values[index]);
  }
  return spa_pod_builder_pop(builder, &frame);
}

/// Stores a requested value.
static void record_request(struct camera *camera, const struct spa_pod_prop *requested) {
  for (int index = 0; index < property_count; index++) {
    if (properties[index].id != requested->key) continue;
    int *target = &camera->requested[index], value;
    bool flag;
    float number;
    if (index == automatic_focus && spa_pod_get_bool(&requested->value, &flag) == 0) *target = flag;
    if (index == contrast && spa_pod_get_float(&requested->value, &number) == 0) *target = (int)(number * 100 + 0.5f);
    if (spa_pod_get_int(&requested->value, &value) == 0) *target = index == gain ? value / 4 * 4 : value;
  }
  camera->has_pending_change = true;
}

static void on_param(void *data, uint32_t id, const struct spa_pod *param) {
  struct camera *camera = data;
  uint8_t storage[2048];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(storage, sizeof storage);
  if (!param) return;
  if (id == SPA_PARAM_Format) {
    const struct spa_pod *buffer_params = spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers,
                                        SPA_PARAM_BUFFERS_buffers, SPA_POD_CHOICE_RANGE_Int(4, 2, 8),
                                        SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1), SPA_PARAM_BUFFERS_size,
                                        SPA_POD_Int(bytes), SPA_PARAM_BUFFERS_stride, SPA_POD_Int(width));
    pw_stream_update_params(camera->stream, &buffer_params, 1);
  } else if (id == SPA_PARAM_Props) {
    const struct spa_pod_prop *requested;
    SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)param, requested) record_request(camera, requested);
  }
}

static void on_process(void *data) {
  struct camera *camera = data;
  struct pw_buffer *buffer = pw_stream_dequeue_buffer(camera->stream);
  if (!buffer) return;
  struct spa_data *block = &buffer->buffer->datas[0];
  if (block->data && block->maxsize >= bytes) {
    memset(block->data, 120 + camera->values[brightness], width * height);
    memset((uint8_t *)block->data + width * height, 128, bytes - width * height);
    *block->chunk = (struct spa_chunk){.size = bytes, .stride = width};
  }
  pw_stream_queue_buffer(camera->stream, buffer);
}

static const struct pw_stream_events stream_events = {
    .version = PW_VERSION_STREAM_EVENTS,
    .param_changed = on_param,
    .process = on_process,
};

static void on_timer(void *data, uint64_t expirations) {
  struct camera *camera = data;
  (void)expirations;
  if (camera->has_pending_change) {
    camera->has_pending_change = false;
    memcpy(camera->values, camera->requested, sizeof camera->values);
    uint8_t storage[2048];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(storage, sizeof storage);
    const struct spa_pod *props = build_props(&builder, camera);
    pw_stream_update_params(camera->stream, &props, 1);
  }
  if (pw_stream_get_state(camera->stream, NULL) == PW_STREAM_STATE_STREAMING)
    pw_stream_trigger_process(camera->stream);
}

static void on_signal(void *data, int number) {
  struct camera *camera = data;
  (void)number;
  pw_main_loop_quit(camera->loop);
}

/// Creates the stream node.
static int connect_stream(struct camera *camera) {
  uint8_t storage[8192];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(storage, sizeof storage);
  const struct spa_pod *params[property_count + 2];
  uint32_t count = 0;
  struct spa_video_info_raw format = {
      .format = SPA_VIDEO_FORMAT_I420,
      .size = SPA_RECTANGLE(width, height),
      .framerate = SPA_FRACTION(rate, 1),
  };
  params[count++] = spa_format_video_raw_build(&builder, SPA_PARAM_EnumFormat, &format);
  for (int index = 0; index < property_count; index++) params[count++] = build_property_info(&builder, &properties[index]);
  params[count++] = build_props(&builder, camera);
  return pw_stream_connect(camera->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                           PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS, params, count);
}

int main(int count, char **argv) {
  if (count != 2) {
    fprintf(stderr, "usage: darkroom-made-up-camera NAME\n");
    return 64;
  }
  pw_init(NULL, NULL);
  struct camera camera = {.loop = pw_main_loop_new(NULL)};
  for (int index = 0; index < property_count; index++) camera.values[index] = camera.requested[index] = properties[index].default_value;
  struct pw_loop *loop = pw_main_loop_get_loop(camera.loop);
  pw_loop_add_signal(loop, SIGTERM, on_signal, &camera);
  camera.stream = pw_stream_new_simple(
      loop, argv[1],
      pw_properties_new(PW_KEY_MEDIA_CLASS, "Video/Source", PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_NODE_NAME, argv[1],
                        PW_KEY_NODE_DESCRIPTION, "Made up", PW_KEY_OBJECT_PATH, "v4l2:/dev/made-up", NULL),
      &stream_events, &camera);
  if (!camera.stream || connect_stream(&camera) < 0) {
    fprintf(stderr, "darkroom-made-up-camera: cannot connect to PipeWire\n");
    return 69;
  }
  struct timespec period = {.tv_nsec = SPA_NSEC_PER_SEC / rate};
  pw_loop_update_timer(loop, pw_loop_add_timer(loop, on_timer, &camera), &period, &period, false);
  pw_main_loop_run(camera.loop);
  pw_stream_destroy(camera.stream);
  pw_main_loop_destroy(camera.loop);
  return 0;
}
