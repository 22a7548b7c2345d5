// SPDX-License-Identifier: Apache-2.0
//
// Reads and sets the adjustable properties of a camera.

#include "Connection.h"

#include <spa/param/param.h>
#include <spa/param/props.h>
#include <spa/pod/builder.h>

int darkroom_pipewire_property_event(const struct darkroom_pipewire *connection) { return connection->property_event; }

/// Requests an event for when the server has handled all requests so far.
static void sync_properties(struct darkroom_pipewire *connection) {
  connection->is_properties_synchronized = false;
  connection->pending_property_sync = pw_core_sync(connection->core, PW_ID_CORE, 0);
}

void darkroom_pipewire_request_properties(struct darkroom_pipewire *connection) {
  lock_loop(connection);
  connection->property_fault = 0;
  if (connection->node && !connection->is_disconnected) {
    if (!connection->is_subscribed) {
      uint32_t ids[] = {SPA_PARAM_Props};
      pw_node_subscribe_params(connection->node, ids, 1);
      connection->is_subscribed = true;
    }
    connection->property_count = 0;
    pw_node_enum_params(connection->node, 0, SPA_PARAM_PropInfo, 0, UINT32_MAX, NULL);
    pw_node_enum_params(connection->node, 0, SPA_PARAM_Props, 0, UINT32_MAX, NULL);
    sync_properties(connection);
  }
  unlock_loop(connection);
}

void darkroom_pipewire_set_property(struct darkroom_pipewire *connection, uint32_t control, double value) {
  lock_loop(connection);
  const struct darkroom_pipewire_property *property = NULL;
  for (size_t index = 0; index < connection->property_count && !property; index++)
    if (connection->properties[index].control == control) property = &connection->properties[index];
  connection->property_fault = property ? 0 : -EINVAL;
  if (property && connection->node && !connection->is_disconnected) {
    uint8_t room[256];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
    struct spa_pod_frame frame;
    spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_Props, SPA_PARAM_Props);
    spa_pod_builder_prop(&builder, property->id, 0);
    if (property->kind == darkroom_pipewire_boolean)
      spa_pod_builder_bool(&builder, value != 0);
    else if (property->kind == darkroom_pipewire_fraction)
      spa_pod_builder_float(&builder, (float)value);
    else
      spa_pod_builder_int(&builder, (int32_t)value);
    pw_node_set_param(connection->node, SPA_PARAM_Props, 0, spa_pod_builder_pop(&builder, &frame));
    sync_properties(connection);
  }
  unlock_loop(connection);
}

int darkroom_pipewire_property_result(struct darkroom_pipewire *connection) {
  lock_loop(connection);
  const bool is_there = connection->node && !connection->is_removed;
  const int fault = connection->is_disconnected ? -EPIPE : is_there ? connection->property_fault : -ENODEV;
  const int answer = fault != 0 ? fault : connection->is_properties_synchronized ? 0 : 1;
  unlock_loop(connection);
  return answer;
}

size_t darkroom_pipewire_properties(struct darkroom_pipewire *connection,
                                    struct darkroom_pipewire_property *properties, size_t max_count) {
  lock_loop(connection);
  const size_t count = connection->property_count < max_count ? connection->property_count : max_count;
  memcpy(properties, connection->properties, count * sizeof *properties);
  unlock_loop(connection);
  return count;
}
