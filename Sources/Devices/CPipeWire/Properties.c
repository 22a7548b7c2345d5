// SPDX-License-Identifier: Apache-2.0
//
// Reads the description and the values of a camera node's properties.

#include "Connection.h"

#include <linux/videodev2.h>
#include <spa/param/param.h>
#include <spa/param/props.h>
#include <spa/pod/iter.h>

/// The SPA properties with a V4L2 control. Only the control IDs of V4L2 have the same meaning for every node.
static const struct {
  uint32_t spa;
  uint32_t control;
} names[] = {
    {SPA_PROP_brightness, V4L2_CID_BRIGHTNESS}, {SPA_PROP_contrast, V4L2_CID_CONTRAST},
    {SPA_PROP_saturation, V4L2_CID_SATURATION}, {SPA_PROP_hue, V4L2_CID_HUE},
    {SPA_PROP_gamma, V4L2_CID_GAMMA},           {SPA_PROP_gain, V4L2_CID_GAIN},
    {SPA_PROP_sharpness, V4L2_CID_SHARPNESS},
};
enum { name_count = sizeof names / sizeof *names };

/// Whether the bound node is a Video4Linux device. PipeWire passes on the other control IDs of such devices.
static bool is_v4l2_device(const struct darkroom_pipewire *connection) {
  static const char prefix[] = "v4l2:";
  for (size_t index = 0; index < connection->node_count; index++)
    if (connection->nodes[index].id == connection->bound_id)
      return strncmp(connection->nodes[index].object, prefix, sizeof prefix - 1) == 0;
  return false;
}

/// Returns the V4L2 control ID of a property, or 0 if there is none.
static uint32_t control_of(const struct darkroom_pipewire *connection, uint32_t id, const char *title) {
  for (size_t index = 0; index < name_count; index++)
    if (names[index].spa == id) return names[index].control;
  if (!is_v4l2_device(connection)) return 0;
  // The meaning of this ID depends on the version of PipeWire; the kernel's name distinguishes both controls.
  // For other nodes, the unit is unknown.
  if (id == SPA_PROP_exposure) return strstr(title, "Absolute") ? V4L2_CID_EXPOSURE_ABSOLUTE : V4L2_CID_EXPOSURE;
  return id > SPA_PROP_START_CUSTOM ? id - SPA_PROP_START_CUSTOM : 0;
}

/// The numbers in a pod. Another program may have written the pod, so that all sizes are checked.
struct numbers {
  const uint8_t *first;
  uint32_t size, type, choice, count;
};

/// Returns the size of a number in bytes, or 0 if the type is not numeric.
static uint32_t size_of(uint32_t type) {
  switch (type) {
    case SPA_TYPE_Bool:
    case SPA_TYPE_Int:
    case SPA_TYPE_Float:
      return 4;
    case SPA_TYPE_Double:
      return 8;
    default:
      return 0;
  }
}

/// Returns the numbers of a pod; the count is 0 if the pod has none.
static struct numbers numbers_of(const struct spa_pod *pod) {
  struct numbers found = {.first = SPA_POD_BODY_CONST(pod), .size = pod->size, .type = pod->type, .count = 1};
  if (pod->type == SPA_TYPE_Choice) {
    const struct spa_pod_choice_body *body = SPA_POD_BODY_CONST(pod);
    if (pod->size < sizeof *body || body->child.size == 0) return (struct numbers){0};
    found = (struct numbers){
        .first = (const uint8_t *)(body + 1),
        .size = body->child.size,
        .type = body->child.type,
        .choice = body->type,
        .count = (pod->size - sizeof *body) / body->child.size,
    };
  }
  return size_of(found.type) > 0 && found.size >= size_of(found.type) ? found : (struct numbers){0};
}

/// Returns the number at an index.
static double number_at(const struct numbers *numbers, uint32_t index) {
  const uint8_t *place = numbers->first + (size_t)index * numbers->size;
  int32_t integer;
  float single;
  double number;
  switch (numbers->type) {
    case SPA_TYPE_Float:
      memcpy(&single, place, sizeof single);
      return single;
    case SPA_TYPE_Double:
      memcpy(&number, place, sizeof number);
      return number;
    default:
      memcpy(&integer, place, sizeof integer);
      return numbers->type == SPA_TYPE_Bool ? integer != 0 : integer;
  }
}

/// Extends the range to include a value.
static void include(struct darkroom_pipewire_property *property, double value) {
  if (value < property->minimum) property->minimum = value;
  if (value > property->maximum) property->maximum = value;
}

/// Reads the valid values of a property. Returns false if they are missing or not numeric.
static bool read_values(const struct spa_pod *type, const struct spa_pod *labels,
                        struct darkroom_pipewire_property *property) {
  const struct numbers values = numbers_of(type);
  if (values.count == 0) return false;
  property->standard = number_at(&values, 0);
  if (values.type == SPA_TYPE_Bool) {
    property->kind = darkroom_pipewire_boolean;
    property->maximum = property->step = 1;
    return true;
  }
  property->kind = values.type == SPA_TYPE_Int ? darkroom_pipewire_integer : darkroom_pipewire_fraction;
  if ((values.choice == SPA_CHOICE_Range || values.choice == SPA_CHOICE_Step) && values.count >= 3) {
    property->minimum = number_at(&values, 1), property->maximum = number_at(&values, 2);
    if (values.choice == SPA_CHOICE_Step && values.count >= 4) property->step = number_at(&values, 3);
    return true;
  }
  if (values.choice != SPA_CHOICE_Enum || property->kind != darkroom_pipewire_integer) return false;
  property->kind = darkroom_pipewire_menu;
  property->minimum = property->maximum = property->standard;
  for (uint32_t index = 1; index < values.count; index++) include(property, number_at(&values, index));
  // The node of a kernel camera lists the menu entries only in the labels.
  const struct spa_pod *label;
  if (labels && labels->type == SPA_TYPE_Struct)
    SPA_POD_FOREACH(SPA_POD_BODY_CONST(labels), labels->size, label) {
      const struct numbers number = numbers_of(label);
      if (number.count == 1 && number.type == SPA_TYPE_Int) include(property, number_at(&number, 0));
    }
  return true;
}

/// Returns the value of a key in a description, or NULL.
static const struct spa_pod *part(const struct spa_pod *param, uint32_t key) {
  const struct spa_pod_prop *found = spa_pod_find_prop(param, NULL, key);
  return found ? &found->value : NULL;
}

/// Reads the description of a property (`PropInfo`).
static void note_description(struct darkroom_pipewire *connection, const struct spa_pod *param) {
  if (!spa_pod_is_object_type(param, SPA_TYPE_OBJECT_PropInfo)) return;
  if (connection->property_count == darkroom_max_properties) return;
  const struct spa_pod *name = part(param, SPA_PROP_INFO_id), *type = part(param, SPA_PROP_INFO_type);
  const struct spa_pod *words = part(param, SPA_PROP_INFO_description);
  uint32_t id;
  const char *title = NULL;
  if (!name || !type || spa_pod_get_id(name, &id) < 0) return;
  if (words && spa_pod_get_string(words, &title) < 0) title = NULL;
  struct darkroom_pipewire_property *property = &connection->properties[connection->property_count];
  *property = (struct darkroom_pipewire_property){.id = id};
  darkroom_pipewire_copy(property->title, sizeof property->title, title);
  property->control = control_of(connection, id, property->title);
  if (property->control == 0 || !read_values(type, part(param, SPA_PROP_INFO_labels), property)) return;
  connection->property_count++;
}

/// Reads the values of properties (`Props`).
static void note_values(struct darkroom_pipewire *connection, const struct spa_pod *param) {
  if (!spa_pod_is_object_type(param, SPA_TYPE_OBJECT_Props)) return;
  const struct spa_pod_prop *entry;
  SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)param, entry) {
    const struct numbers value = numbers_of(&entry->value);
    for (size_t index = 0; value.count > 0 && index < connection->property_count; index++) {
      struct darkroom_pipewire_property *property = &connection->properties[index];
      if (property->id != entry->key) continue;
      property->value = number_at(&value, 0);
      property->has_value = true;
    }
  }
  // A node that applies a value later than requested reports the change without a request.
  darkroom_pipewire_signal(connection);
}

void darkroom_pipewire_note_property(struct darkroom_pipewire *connection, uint32_t id, const struct spa_pod *param) {
  if (!param) return;
  if (id == SPA_PARAM_PropInfo) note_description(connection, param);
  if (id == SPA_PARAM_Props) note_values(connection, param);
}
