// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "orders.h"

/// The maximum number of assets that are held open.
#define HELD 16

/// The assets that were opened and are never closed.
static struct {
  char asset[64];
  int descriptor;
} open_assets[HELD];

/// The number of open assets.
static size_t open_count;

/// The asset that this session added last.
static char last_added[64];

/// The ID of the request whose reply a later command reads.
static int pending_request;

/// Copies a string member of a reply, which must not contain escapes. Returns false if there is none.
static bool member(const char *answer, const char *name, char *text, size_t size) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":\"", name);
  const char *at = answer == NULL ? NULL : strstr(answer, key);
  if (at == NULL) return false;
  snprintf(text, size, "%.*s", (int)strcspn(at + strlen(key), "\""), at + strlen(key));
  return true;
}

/// Returns the number of readable bytes of a file, or -1 on error.
static long long readable(int descriptor) {
  char bytes[65536];
  long long total = 0;
  ssize_t count;
  while ((count = pread(descriptor, bytes, sizeof bytes, total)) > 0) total += count;
  return count < 0 ? -1 : total;
}

/// Reports the number of readable bytes of a file.
static void report_bytes(const char *order, const char *value, int descriptor) {
  long long count = readable(descriptor);
  if (count < 0)
    report(order, value, "%s", outcome(-1));
  else
    report(order, value, "%lld bytes", count);
}

/// Creates a video file of the given number of MiB in the session content directory.
static void write_video(const char *megabytes) {
  static char bytes[1 << 20];
  char path[512];
  snprintf(path, sizeof path, "%s/film.mov", session_directory());
  memset(bytes, 'f', sizeof bytes);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  long written = file;
  for (int left = atoi(megabytes); left > 0 && written >= 0; left--) written = write(file, bytes, sizeof bytes);
  report("film", megabytes, "%s", outcome(written));
  if (file >= 0) close(file);
}

/// Moves a file of the session content directory into the photo library. With `later`, another command reads
/// the reply.
static void add(struct host *host, const char *path, bool later) {
  char parameters[320];
  snprintf(parameters, sizeof parameters, "{\"path\":\"%s\",\"move\":true}", path);
  pending_request = ask(host, "photos/add", parameters);
  if (later) {
    report("photos-add-later", path, "asked");
    return;
  }
  const char *answer = await_answer(host, pending_request);
  // Later commands refer to the asset as "own".
  member(answer, "id", last_added, sizeof last_added);
  report("photos-add", path, "%s", answer == NULL ? "no answer" : answer);
}

/// Opens an asset through the library directory and keeps it open.
static void open_asset(struct host *host, const char *value, const char *asset) {
  char parameters[128], path[512];
  snprintf(parameters, sizeof parameters, "{\"asset\":\"%s\"}", asset);
  const char *answer = await_answer(host, ask(host, "photos/open", parameters));
  if (!member(answer, "path", path, sizeof path)) {
    report("photos-open", value, "%s", answer == NULL ? "no answer" : answer);
    return;
  }
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || open_count == HELD) {
    report("photos-open", value, "%s", outcome(-1));
    return;
  }
  snprintf(open_assets[open_count].asset, sizeof open_assets[0].asset, "%s", asset);
  open_assets[open_count++].descriptor = file;
  report_bytes("photos-open", value, file);
}

/// Reads an asset through its open descriptor.
static void read_asset(const char *value, const char *asset) {
  for (size_t index = 0; index < open_count; index++) {
    if (strcmp(open_assets[index].asset, asset) != 0) continue;
    report_bytes("photos-read", value, open_assets[index].descriptor);
    return;
  }
  report("photos-read", value, "not open");
}

/// Reports the names in the library directory.
static void list_library(void) {
  char names[1024] = "";
  DIR *directory = opendir("/library");
  if (directory == NULL) {
    report("library", "", "%s", outcome(-1));
    return;
  }
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    size_t length = strlen(names);
    snprintf(names + length, sizeof names - length, " %s", entry->d_name);
  }
  closedir(directory);
  report("library", "", "%s", names[0] == 0 ? "nothing" : names + 1);
}

/// Reports the reply that was left unread.
static void report_left_answer(struct host *host, const char *order) {
  const char *answer = await_answer(host, pending_request);
  report(order, "", "%s", answer == NULL ? "no answer" : answer);
}

/// Sends a request about the library and reports its reply.
static void request(struct host *host, const char *order, const char *value, const char *method, const char *parameters) {
  const char *answer = await_answer(host, ask(host, method, parameters));
  report(order, value, "%s", answer == NULL ? "no answer" : answer);
}

bool order_photos(struct host *host, const char *order, const char *value) {
  const char *asset = strcmp(value, "own") == 0 ? last_added : value;
  char parameters[128];
  snprintf(parameters, sizeof parameters, "{\"asset\":\"%s\"}", asset);
  if (strcmp(order, "film") == 0)
    write_video(value);
  else if (strcmp(order, "library") == 0)
    list_library();
  else if (strcmp(order, "photos-read") == 0)
    read_asset(value, asset);
  else if (host->in < 0)
    return false;
  else if (strcmp(order, "photos") == 0 && strcmp(value, "authorization") == 0)
    request(host, order, value, "photos/authorization", "{\"level\":\"addOnly\"}");
  else if (strcmp(order, "photos") == 0 && strcmp(value, "list") == 0)
    request(host, order, value, "photos/list", "{\"limit\":10}");
  else if (strcmp(order, "photos-add") == 0 || strcmp(order, "photos-add-later") == 0)
    add(host, value, strcmp(order, "photos-add-later") == 0);
  else if (strcmp(order, "photos-answer") == 0)
    report_left_answer(host, order);
  else if (strcmp(order, "photos-open") == 0)
    open_asset(host, value, asset);
  else if (strcmp(order, "photos-delete") == 0)
    request(host, order, value, "photos/delete", parameters);
  else
    return false;
  return true;
}
