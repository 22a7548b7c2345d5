// SPDX-License-Identifier: Apache-2.0
//
// A host program that reads sound, lists devices, saves an image and changes the passcode. It prints the results of the
// library to standard output; device_scenarios.py compares the output.
// usage: devices sound|devices
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "darkroom-host.h"
#include "printing.h"

static darkroom_host *host;

/// Prints a result, and the error of a failure.
static void report(const char *name, int result) {
  if (result >= 0)
    say("%s: %d", name, result);
  else
    say("%s: %d '%s'", name, result, darkroom_host_last_error(host)->text);
}

/// Prints the number of open descriptors.
static void say_descriptors(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (readdir(directory) != NULL) count++;
  closedir(directory);
  say("descriptors %d", count);
}

/// Reads sound and events as the server orders.
static void use_sound(void) {
  char line[64];
  darkroom_hosted_session *session = darkroom_host_launch(host, "org.example.camera.capture", NULL);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "read", 4) == 0) {
      darkroom_sound sound = DARKROOM_SOUND_INIT;
      int result = darkroom_hosted_read_sound(session, &sound, atoi(line + 4));
      if (result > 0)
        say("block at %llu position %llu lost %llu: %u %u %u samples %d %d", (unsigned long long)sound.timestamp,
            (unsigned long long)sound.position, (unsigned long long)sound.lost, sound.sample_rate, sound.channels,
            sound.frames, sound.samples[0], sound.samples[sound.frames * sound.channels - 1]);
      else
        report("read", result);
    } else if (strcmp(line, "next") == 0) {
      darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
      int result = darkroom_host_next(host, &event, 1000);
      if (result > 0) say("event %d session %d", event.type, event.session == session);
      if (result <= 0) report("next", result);
    } else if (strcmp(line, "descriptors") == 0) {
      say_descriptors();
    } else if (strcmp(line, "launch") == 0) {
      darkroom_hosted_close(session);
      session = darkroom_host_launch(host, "org.example.camera.capture", NULL);
    }
  }
}

static void use_devices(void) {
  const darkroom_host_camera *cameras = NULL;
  const darkroom_host_microphone *microphones = NULL;
  report("cameras", darkroom_host_list_cameras(host, &cameras));
  for (const darkroom_host_camera *found = cameras; found != NULL; found = found->next)
    say("  %s: %s, %s, %s, %s, %s", found->camera, text(found->name), text(found->driver), text(found->bus),
        text(found->device), text(found->error));
  report("microphones", darkroom_host_list_microphones(host, &microphones));
  for (const darkroom_host_microphone *found = microphones; found != NULL; found = found->next)
    say("  %s: %s", found->microphone, found->description);
  darkroom_host_free(cameras);
  darkroom_host_free(microphones);
  const darkroom_host_key_binding *bindings = NULL;
  report("bindings", darkroom_host_list_key_bindings(host, &bindings));
  for (const darkroom_host_key_binding *found = bindings; found != NULL; found = found->next)
    say("  %s presses %s of %s", found->key, found->control, found->app);
  darkroom_host_free(bindings);
  report("bind", darkroom_host_bind_key(host, "KEY_CAMERA", "org.example.camera", "shutter"));
  report("unbind", darkroom_host_unbind_key(host, "KEY_CAMERA"));
  const darkroom_host_path_access *access = NULL;
  report("access", darkroom_host_explain_access(host, "strict", "/opt/models", DARKROOM_HOST_PATH_EXECUTE, &access));
  say("  %s %d %s %s: %s, %s", access->path, access->use, text(access->error_name), text(access->line),
      access->layers->text, access->sentence);
  darkroom_host_free(access);
  report("access", darkroom_host_explain_access(host, "capture", "/usr", DARKROOM_HOST_PATH_READ, NULL));
  report("access", darkroom_host_explain_access(host, "capture", "/usr", (darkroom_host_path_use)4, NULL));
  for (int count = 0; count < 2; count++) report("passcode", darkroom_host_has_passcode(host));
  report("set", darkroom_host_set_passcode(host, "new secret", NULL));
  report("set", darkroom_host_set_passcode(host, "new secret", "old"));
  report("clear", darkroom_host_clear_passcode(host, "old"));
  report("clear", darkroom_host_clear_passcode(host, NULL));
  say_descriptors();
  static const char *const names[] = {"a.png", "a.jpg", "none/a.jpeg", "a.png", "a.png", "a.gif"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    report("save", darkroom_host_save_viewfinder(host, "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11", names[index]));
  say_descriptors();
}

int main(int count, char **words) {
  darkroom_error error = DARKROOM_ERROR_INIT;
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  options.client = "client 1.0";
  host = darkroom_host_open(&options, &error);
  if (count < 2 || host == NULL) return 1;
  if (strcmp(words[1], "sound") == 0)
    use_sound();
  else
    use_devices();
  darkroom_host_close(host);
  say("closed");
  return 0;
}
