// SPDX-License-Identifier: Apache-2.0
//
// A replacement for iio-sensor-proxy on a private bus. It reads one command per line from standard input and prints
// `done` or `failed` after each command has been sent to the bus:
//   turn NAME     sets the orientation, which is sent only while the accelerometer is claimed
//   leave, enter  releases or requests the bus name, like a service that stops and starts
// A call of ClaimAccelerometer prints `claimed`, and a call of ReleaseAccelerometer prints `released`.
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char service[] = "net.hadess.SensorProxy";
static const char object[] = "/net/hadess/SensorProxy";
static const char property[] = "AccelerometerOrientation";

/// The simulated state of the service.
static struct {
  bool is_claimed;
  char orientation[16];
} state = {.orientation = "normal"};

static int get_orientation(sd_bus *bus, const char *path, const char *interface, const char *name,
                           sd_bus_message *reply, void *data, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)name, (void)data, (void)error;
  return sd_bus_message_append(reply, "s", state.is_claimed ? state.orientation : "undefined");
}

static int claim(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  state.is_claimed = true;
  puts("claimed");
  return sd_bus_reply_method_return(message, "");
}

static int release(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  state.is_claimed = false;
  puts("released");
  return sd_bus_reply_method_return(message, "");
}

static const sd_bus_vtable sensor[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("ClaimAccelerometer", "", "", claim, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("ReleaseAccelerometer", "", "", release, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("AccelerometerOrientation", "s", get_orientation, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END};

/// Executes one command.
static int execute_command(sd_bus *bus, const char *command) {
  if (sscanf(command, "turn %15s", state.orientation) == 1)
    return state.is_claimed ? sd_bus_emit_properties_changed(bus, object, service, property, NULL) : 0;
  if (strcmp(command, "leave") == 0) {
    state.is_claimed = false;
    return sd_bus_release_name(bus, service);
  }
  if (strcmp(command, "enter") == 0) return sd_bus_request_name(bus, service, 0);
  return -EINVAL;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  setvbuf(stdin, NULL, _IONBF, 0);
  sd_bus *bus = NULL;
  if (sd_bus_open_system(&bus) < 0) return 1;
  if (sd_bus_add_object_vtable(bus, NULL, object, service, sensor, NULL) < 0) return 1;
  if (sd_bus_request_name(bus, service, 0) < 0) return 1;
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
    result = execute_command(bus, command);
    sd_bus_flush(bus);
    if (result < 0) printf("failed %s\n", strerror(-result));
    else puts("done");
  }
}
