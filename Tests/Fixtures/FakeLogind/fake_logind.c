// SPDX-License-Identifier: Apache-2.0
//
// A replacement for systemd-logind on a private bus with one seat, one user and two sessions. It reads one
// command per line from standard input and prints `result_code` after each command has been sent to the bus:
//   hint 0|1      sets LockedHint of session c1
//   active c1|c2  sets the active session
//   class NAME    sets the class of session c1
//   lock, unlock  emits Lock or Unlock for session c1
//   gone          removes session c1
//   leave, enter  releases or requests the bus name
// A call of Unlock prints `unlock called` and does nothing else, like the real method.
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

/// The simulated state of logind.
static struct {
  int hint;
  int gone;
  char active_session[8];
  char kind[32];
} state = {.active_session = "c1", .kind = "user"};

/// Returns the session ID in an object path.
static const char *session_of(const char *path) { return strrchr(path, '/') + 1; }

static int get_hint(sd_bus *bus, const char *path, const char *interface, const char *name, sd_bus_message *reply,
                    void *data, sd_bus_error *error) {
  (void)bus, (void)interface, (void)name, (void)data, (void)error;
  return sd_bus_message_append(reply, "b", strcmp(session_of(path), "c1") == 0 && state.hint);
}

static int get_active(sd_bus *bus, const char *path, const char *interface, const char *name, sd_bus_message *reply,
                      void *data, sd_bus_error *error) {
  (void)bus, (void)interface, (void)name, (void)data, (void)error;
  return sd_bus_message_append(reply, "b", strcmp(session_of(path), state.active_session) == 0);
}

static int get_class(sd_bus *bus, const char *path, const char *interface, const char *name, sd_bus_message *reply,
                     void *data, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)name, (void)data, (void)error;
  return sd_bus_message_append(reply, "s", state.kind);
}

static int get_user(sd_bus *bus, const char *path, const char *interface, const char *name, sd_bus_message *reply,
                    void *data, sd_bus_error *error) {
  (void)bus, (void)interface, (void)name, (void)data, (void)error;
  // Session c2 belongs to another user.
  unsigned user = getuid() + (strcmp(session_of(path), "c2") == 0);
  return sd_bus_message_append(reply, "(uo)", user, "/org/freedesktop/login1/user/self");
}

static int get_session_pair(sd_bus *bus, const char *path, const char *interface, const char *name,
                            sd_bus_message *reply, void *data, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)data, (void)error;
  const char *id = state.gone ? "" : strcmp(name, "Display") == 0 ? "c1" : state.active_session;
  char object[64] = "/";
  if (*id) snprintf(object, sizeof object, "/org/freedesktop/login1/session/%s", id);
  return sd_bus_message_append(reply, "(so)", id, object);
}

static int find_session(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  const char *id;
  int result = sd_bus_message_read(message, "s", &id);
  if (result < 0) return result;
  if (state.gone || (strcmp(id, "c1") != 0 && strcmp(id, "c2") != 0))
    return sd_bus_error_setf(error, "org.freedesktop.login1.NoSuchSession", "No session '%s' known", id);
  char object[64];
  snprintf(object, sizeof object, "/org/freedesktop/login1/session/%.2s", id);
  return sd_bus_reply_method_return(message, "o", object);
}

static int find_user(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  return sd_bus_reply_method_return(message, "o", "/org/freedesktop/login1/user/self");
}

static int find_seat(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  const char *id;
  int result = sd_bus_message_read(message, "s", &id);
  if (result < 0) return result;
  if (strcmp(id, "seat0") != 0)
    return sd_bus_error_setf(error, "org.freedesktop.login1.NoSuchSeat", "No seat '%s' known", id);
  return sd_bus_reply_method_return(message, "o", "/org/freedesktop/login1/seat/seat0");
}

static int unlock(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  puts("unlock called");
  return sd_bus_reply_method_return(message, "");
}

static const sd_bus_vtable manager[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("GetSession", "s", "o", find_session, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("GetUser", "u", "o", find_user, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("GetSeat", "s", "o", find_seat, SD_BUS_VTABLE_UNPRIVILEGED), SD_BUS_VTABLE_END};

static const sd_bus_vtable session[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("LockedHint", "b", get_hint, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("Active", "b", get_active, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("Class", "s", get_class, 0, 0), SD_BUS_PROPERTY("User", "(uo)", get_user, 0, 0),
    SD_BUS_METHOD("Unlock", "", "", unlock, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("Lock", "", 0), SD_BUS_SIGNAL("Unlock", "", 0), SD_BUS_VTABLE_END};

static const sd_bus_vtable seat[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("ActiveSession", "(so)", get_session_pair, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END};

static const sd_bus_vtable user[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Display", "(so)", get_session_pair, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END};

static const char c1[] = "/org/freedesktop/login1/session/c1";
static const char login1[] = "org.freedesktop.login1";

/// Executes one command.
static int execute_command(sd_bus *bus, const char *command) {
  if (sscanf(command, "hint %d", &state.hint) == 1)
    return sd_bus_emit_properties_changed(bus, c1, "org.freedesktop.login1.Session", "LockedHint", NULL);
  if (sscanf(command, "active %7s", state.active_session) == 1) {
    sd_bus_emit_properties_changed(bus, c1, "org.freedesktop.login1.Session", "Active", NULL);
    return sd_bus_emit_properties_changed(bus, "/org/freedesktop/login1/seat/seat0", "org.freedesktop.login1.Seat",
                                          "ActiveSession", NULL);
  }
  if (sscanf(command, "class %31s", state.kind) == 1) return 0;
  if (strcmp(command, "lock") == 0) return sd_bus_emit_signal(bus, c1, "org.freedesktop.login1.Session", "Lock", "");
  if (strcmp(command, "unlock") == 0) return sd_bus_emit_signal(bus, c1, "org.freedesktop.login1.Session", "Unlock", "");
  if (strcmp(command, "gone") == 0) {
    state.gone = 1;
    return sd_bus_emit_signal(bus, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "SessionRemoved", "so",
                              "c1", c1);
  }
  if (strcmp(command, "leave") == 0) return sd_bus_release_name(bus, login1);
  if (strcmp(command, "enter") == 0) return sd_bus_request_name(bus, login1, 0);
  return -EINVAL;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  setvbuf(stdin, NULL, _IONBF, 0);
  sd_bus *bus = NULL;
  if (sd_bus_open_system(&bus) < 0) return 1;
  sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", manager, NULL);
  sd_bus_add_object_vtable(bus, NULL, c1, "org.freedesktop.login1.Session", session, NULL);
  sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/login1/session/c2", "org.freedesktop.login1.Session", session,
                           NULL);
  sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/login1/seat/seat0", "org.freedesktop.login1.Seat", seat, NULL);
  sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/login1/user/self", "org.freedesktop.login1.User", user, NULL);
  if (sd_bus_request_name(bus, login1, 0) < 0) return 1;
  puts("ready");
  while (true) {
    int result;
    while ((result = sd_bus_process(bus, NULL)) > 0) continue;
    if (result < 0) return 1;
    struct pollfd watched[2] = {{.fd = 0, .events = POLLIN}, {.fd = sd_bus_get_fd(bus), .events = POLLIN}};
    if (poll(watched, 2, -1) < 0 || watched[1].revents & POLLHUP) return 1;
    char command[64];
    if (!watched[0].revents) continue;
    if (!fgets(command, sizeof command, stdin)) return 0;
    command[strcspn(command, "\n")] = 0;
    int result_code = execute_command(bus, command);
    sd_bus_flush(bus);
    if (result_code < 0) printf("failed %s\n", strerror(-result_code));
    else puts("done");
  }
}
