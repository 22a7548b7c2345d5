// SPDX-License-Identifier: Apache-2.0
//
// The connection to a server, and the objects that it lists.

#include "Connection.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spa/utils/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

void darkroom_pipewire_signal(const struct darkroom_pipewire *connection) {
  // A failed write is ignored: the counter is then full, and thus readable.
  (void)!eventfd_write(connection->event, 1);
  (void)!eventfd_write(connection->property_event, 1);
}

void darkroom_pipewire_copy(char *to, size_t room, const char *from) {
  size_t length = from ? strnlen(from, room - 1) : 0;
  if (length > 0) memcpy(to, from, length);
  to[length] = 0;
}

static void on_done(void *data, uint32_t id, int sequence) {
  struct darkroom_pipewire *connection = data;
  if (id != PW_ID_CORE) return;
  if (sequence == connection->pending_sync)
    connection->is_synchronized = true;
  else if (sequence == connection->pending_property_sync)
    connection->is_properties_synchronized = true;
  else
    return;
  darkroom_pipewire_signal(connection);
}

static void on_error(void *data, uint32_t id, int sequence, int result, const char *message) {
  struct darkroom_pipewire *connection = data;
  (void)sequence;
  if (id == PW_ID_CORE) {
    connection->fault = result < 0 ? result : -EPROTO;
    connection->is_disconnected = connection->is_disconnected || result == -EPIPE || result == -ECONNRESET;
    darkroom_pipewire_copy(connection->message, sizeof connection->message, message);
  } else if (connection->node && id == darkroom_pipewire_library.proxy_get_id((struct pw_proxy *)connection->node)) {
    connection->property_fault = result < 0 ? result : -EPROTO;
  } else {
    // The stream reports its failure in its state event, but without this error code.
    connection->stream_fault = result;
  }
  darkroom_pipewire_signal(connection);
}

static const struct pw_core_events core_events = {
    .version = PW_VERSION_CORE_EVENTS,
    .done = on_done,
    .error = on_error,
};

/// Extracts the name of the default node from `{"name": "NODE"}`.
static int on_property(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
  struct darkroom_pipewire *connection = data;
  (void)type;
  if (subject != PW_ID_CORE || (key && strcmp(key, "default.video.source") != 0)) return 0;
  connection->standard[0] = 0;
  if (!key || !value) return 0;
  struct spa_json whole, object;
  char name[sizeof "name"];
  spa_json_init(&whole, value, strlen(value));
  if (spa_json_enter_object(&whole, &object) <= 0) return 0;
  while (spa_json_get_string(&object, name, sizeof name) > 0) {
    if (strcmp(name, "name") == 0) {
      if (spa_json_get_string(&object, connection->standard, sizeof connection->standard) <= 0)
        connection->standard[0] = 0;
      break;
    }
    const char *other;
    if (spa_json_next(&object, &other) <= 0) break;
  }
  return 0;
}

static const struct pw_metadata_events metadata_events = {
    .version = PW_VERSION_METADATA_EVENTS,
    .property = on_property,
};

/// Adds a node if it provides video.
static void note_node(struct darkroom_pipewire *connection, uint32_t id, const struct spa_dict *properties) {
  const char *class = spa_dict_lookup(properties, PW_KEY_MEDIA_CLASS);
  const char *name = spa_dict_lookup(properties, PW_KEY_NODE_NAME);
  static const char wanted[] = "Video/Source";
  if (!class || !name || strncmp(class, wanted, sizeof wanted - 1) != 0) return;
  if (class[sizeof wanted - 1] != 0 && class[sizeof wanted - 1] != '/') return;
  if (connection->node_count == darkroom_max_nodes) return;
  struct darkroom_pipewire_node *node = &connection->nodes[connection->node_count++];
  const char *serial = spa_dict_lookup(properties, PW_KEY_OBJECT_SERIAL);
  const char *priority = spa_dict_lookup(properties, PW_KEY_PRIORITY_SESSION);
  const char *description = spa_dict_lookup(properties, PW_KEY_NODE_DESCRIPTION);
  if (!description) description = spa_dict_lookup(properties, PW_KEY_NODE_NICK);
  node->id = id;
  node->serial = serial ? strtoull(serial, NULL, 10) : 0;
  node->priority = priority ? atoi(priority) : 0;
  darkroom_pipewire_copy(node->name, sizeof node->name, name);
  darkroom_pipewire_copy(node->description, sizeof node->description, description);
  darkroom_pipewire_copy(node->role, sizeof node->role, spa_dict_lookup(properties, PW_KEY_MEDIA_ROLE));
  darkroom_pipewire_copy(node->object, sizeof node->object, spa_dict_lookup(properties, PW_KEY_OBJECT_PATH));
}

static void on_global(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                      const struct spa_dict *properties) {
  struct darkroom_pipewire *connection = data;
  (void)permissions;
  (void)version;
  if (!properties) return;
  if (strcmp(type, PW_TYPE_INTERFACE_Node) == 0) {
    note_node(connection, id, properties);
  } else if (strcmp(type, PW_TYPE_INTERFACE_Metadata) == 0 && !connection->metadata) {
    const char *name = spa_dict_lookup(properties, PW_KEY_METADATA_NAME);
    if (!name || strcmp(name, "default") != 0) return;
    connection->metadata = pw_registry_bind(connection->registry, id, type, PW_VERSION_METADATA, 0);
    if (!connection->metadata) return;
    pw_metadata_add_listener(connection->metadata, &connection->metadata_hook, &metadata_events, connection);
    // The sync event follows the properties of the metadata object.
    connection->pending_sync = pw_core_sync(connection->core, PW_ID_CORE, 0);
  }
}

static void on_global_remove(void *data, uint32_t id) {
  struct darkroom_pipewire *connection = data;
  for (size_t index = 0; index < connection->node_count; index++)
    if (connection->nodes[index].id == id) connection->nodes[index] = connection->nodes[--connection->node_count];
  if (!connection->node || id != connection->bound_id) return;
  connection->is_removed = true;
  darkroom_pipewire_signal(connection);
}

static const struct pw_registry_events registry_events = {
    .version = PW_VERSION_REGISTRY_EVENTS,
    .global = on_global,
    .global_remove = on_global_remove,
};

/// Returns 0 if a descriptor can be a connection, or a negative errno; sets close-on-exec.
static int check(int descriptor) {
  int domain = 0, type = 0;
  socklen_t length = sizeof domain;
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) < 0) return -errno;
  length = sizeof type;
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) < 0) return -errno;
  if (domain != AF_UNIX || type != SOCK_STREAM) return -ENOTSOCK;
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? -errno : 0;
}

/// Creates the loop with its thread, and the context, which has a thread of its own.
static int begin(struct darkroom_pipewire *connection) {
  const struct darkroom_pipewire_library *library = &darkroom_pipewire_library;
  // The library's threads must not receive the signals of the host.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int result = -ENOMEM;
  if ((connection->loop = library->thread_loop_new("pipewire-camera", NULL)) &&
      (connection->context = library->context_new(library->thread_loop_get_loop(connection->loop), NULL, 0)))
    result = library->thread_loop_start(connection->loop);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return result;
}

/// Connects to the server, and requests its objects.
static int connect_core(struct darkroom_pipewire *connection, int descriptor) {
  const struct darkroom_pipewire_library *library = &darkroom_pipewire_library;
  errno = 0;
  connection->core = descriptor < 0 ? library->context_connect(connection->context, NULL, 0)
                                    : library->context_connect_fd(connection->context, descriptor, NULL, 0);
  if (!connection->core) return errno ? -errno : -EPROTO;
  pw_core_add_listener(connection->core, &connection->core_hook, &core_events, connection);
  connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
  if (!connection->registry) return errno ? -errno : -EPROTO;
  pw_registry_add_listener(connection->registry, &connection->registry_hook, &registry_events, connection);
  connection->pending_sync = pw_core_sync(connection->core, PW_ID_CORE, 0);
  return 0;
}

struct darkroom_pipewire *darkroom_pipewire_connect(int descriptor, int *error) {
  if (descriptor >= 0 && (*error = check(descriptor)) < 0) return NULL;
  struct darkroom_pipewire *connection = calloc(1, sizeof *connection);
  *error = -ENOMEM;
  if (!connection) {
    if (descriptor >= 0) close(descriptor);
    return NULL;
  }
  connection->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  connection->property_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  *error = connection->event < 0 || connection->property_event < 0 ? -errno : begin(connection);
  if (*error == 0) {
    lock_loop(connection);
    *error = connect_core(connection, descriptor);
    unlock_loop(connection);
  } else if (descriptor >= 0) {
    close(descriptor);
  }
  if (*error == 0) return connection;
  darkroom_pipewire_close(connection);
  return NULL;
}

void darkroom_pipewire_close(struct darkroom_pipewire *connection) {
  const struct darkroom_pipewire_library *library = &darkroom_pipewire_library;
  if (connection->loop) library->thread_loop_stop(connection->loop);
  if (connection->stream) library->stream_destroy(connection->stream);
  if (connection->core) {
    if (connection->node) library->proxy_destroy((struct pw_proxy *)connection->node);
    if (connection->metadata) library->proxy_destroy((struct pw_proxy *)connection->metadata);
    if (connection->registry) library->proxy_destroy((struct pw_proxy *)connection->registry);
    library->core_disconnect(connection->core);
  }
  if (connection->context) library->context_destroy(connection->context);
  if (connection->loop) library->thread_loop_destroy(connection->loop);
  if (connection->event >= 0) close(connection->event);
  if (connection->property_event >= 0) close(connection->property_event);
  free(connection);
}

int darkroom_pipewire_event(const struct darkroom_pipewire *connection) { return connection->event; }

void darkroom_pipewire_get_status(struct darkroom_pipewire *connection, struct darkroom_pipewire_status *status) {
  lock_loop(connection);
  *status = (struct darkroom_pipewire_status){
      .error = connection->fault,
      .is_disconnected = connection->is_disconnected,
      .is_removed = connection->is_removed,
      .is_ready = connection->is_ready,
      .is_synchronized = connection->is_synchronized,
      .settlements = connection->settlements,
  };
  if (!connection->fault && connection->has_stream_failed)
    status->error = connection->stream_fault < 0 ? connection->stream_fault : -EPROTO;
  memcpy(status->message, connection->message, sizeof status->message);
  unlock_loop(connection);
}

void darkroom_pipewire_sync(struct darkroom_pipewire *connection) {
  lock_loop(connection);
  connection->is_synchronized = false;
  if (!connection->is_disconnected) connection->pending_sync = pw_core_sync(connection->core, PW_ID_CORE, 0);
  unlock_loop(connection);
}

size_t darkroom_pipewire_nodes(struct darkroom_pipewire *connection, struct darkroom_pipewire_node *nodes,
                               size_t max_count) {
  lock_loop(connection);
  size_t count = connection->node_count < max_count ? connection->node_count : max_count;
  memcpy(nodes, connection->nodes, count * sizeof *nodes);
  unlock_loop(connection);
  return count;
}

void darkroom_pipewire_default_node(struct darkroom_pipewire *connection, char *name, size_t room) {
  lock_loop(connection);
  darkroom_pipewire_copy(name, room, connection->standard);
  unlock_loop(connection);
}
