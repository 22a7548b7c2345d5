// SPDX-License-Identifier: Apache-2.0
//
// Opens connections whose server sends results and notifications with mutations.
// usage: fuzz_client CORPUS ROUNDS
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "darkroom-manage.h"
#include "mutation.h"

#define LINE_BYTES 16384

/// The lines of the corpus: a method and a result, or `-` and a notification.
static char *lines[512];
static size_t line_count;
static int memory_file;

/// Sends bytes, with descriptors of the first byte.
static void send_bytes(int connection, const char *bytes, size_t length, int count) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * 8)];
  } control;
  struct iovec part = {(char *)(uintptr_t)bytes, length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  memset(&control, 0, sizeof control);
  if (count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){CMSG_LEN(sizeof(int) * (size_t)count), SOL_SOCKET, SCM_RIGHTS};
    for (int index = 0; index < count; index++)
      memcpy(CMSG_DATA(header) + sizeof(int) * (size_t)index, &memory_file, sizeof(int));
  }
  // The client may have closed the connection.
  if (sendmsg(connection, &message, MSG_NOSIGNAL) < 0) return;
}

/// Returns the value of a random line whose method is the given one; usually.
static const char *find_value(const char *method, size_t length) {
  bool is_any = roll(40) == 0;
  for (size_t index = roll(line_count), count = 0; count < line_count; count++) {
    const char *line = lines[(index + count) % line_count];
    if (is_any || (strncmp(line, method, length) == 0 && line[length] == ' ')) return strchr(line, ' ') + 1;
  }
  return "{}";
}

/// Responds to a request, and sends notifications. Returns false after a mutated greeting, because the client may wait
/// for another one.
static bool respond(int connection, const char *request) {
  static char bytes[LINE_BYTES * 2];
  const char *id = strstr(request, "\"id\":"), *method = strstr(request, "\"method\":\"");
  if (id == NULL || method == NULL) return true;
  method += strlen("\"method\":\"");
  size_t name = strcspn(method, "\"");
  bool is_opened = strncmp(method, "viewfinder/open", name) == 0 || strncmp(method, "sound/open", name) == 0;
  bool is_greeting = strncmp(method, "host/hello", name) == 0;
  for (uint64_t count = is_greeting ? 0 : roll(3); count > 0; count--) {
    size_t length = (size_t)snprintf(bytes, LINE_BYTES, "%s\n", find_value("-", 1));
    if (roll(16) == 0) length = mutate(bytes, length, sizeof bytes);
    send_bytes(connection, bytes, length, roll(16) == 0 ? (int)roll(8) : 0);
  }
  size_t length = (size_t)snprintf(bytes, LINE_BYTES, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}\n", atoi(id + 5),
                                   find_value(method, name));
  bool is_mutated = roll(16) == 0;
  if (is_mutated) length = mutate(bytes, length, sizeof bytes);
  send_bytes(connection, bytes, length, is_opened && roll(8) != 0 ? 1 : roll(16) == 0 ? (int)roll(8) : 0);
  return !is_greeting || !is_mutated;
}

/// The socket that accepts connections, and the number of the current one.
struct server {
  int listener;
  unsigned round;
};

/// Accepts one connection, and responds until it is closed.
static void *serve(void *argument) {
  static char inbox[1 << 20];
  const struct server *server = argument;
  size_t used = 0;
  int connection = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
  state = (server->round + 1) * 0xBF58476D1CE4E5B9;
  ssize_t count;
  while ((count = recv(connection, inbox + used, sizeof inbox - 1 - used, 0)) > 0) {
    used += (size_t)count;
    char *begin = inbox, *newline;
    inbox[used] = 0;
    bool is_served = roll(200) != 0;
    while ((newline = strchr(begin, '\n')) != NULL) {
      *newline = 0;
      is_served = respond(connection, begin) && is_served;
      begin = newline + 1;
    }
    used -= (size_t)(begin - inbox);
    memmove(inbox, begin, used);
    if (!is_served) break;
  }
  close(connection);
  return NULL;
}

/// Uses the functions that decode results.
static void use_requests(darkroom_host *host) {
  const char *app = "org.example.camera", *result = NULL;
  const void *found[15] = {NULL};
  char path[16];
  bool settable;
  int64_t number;
  darkroom_host_list_apps(host, (const darkroom_host_app **)&found[0], (const darkroom_host_text **)&found[1]);
  darkroom_host_install(host, "/b", (const darkroom_host_installation **)&found[2]);
  darkroom_host_validate(host, "/b", (const darkroom_host_diagnostic **)&found[3]);
  darkroom_host_list_content(host, app, (const darkroom_host_content **)&found[4]);
  darkroom_host_list_quarantine(host, app, (const darkroom_host_quarantine **)&found[5]);
  darkroom_host_list_permissions(host, app, (const darkroom_host_permission **)&found[6]);
  darkroom_host_explain_policy(host, "p", 0, (const darkroom_host_explanation **)&found[7]);
  darkroom_host_verify_policy(host, "p", (const darkroom_host_verdict **)&found[8]);
  darkroom_host_compare_policies(host, "p", "q", (const darkroom_host_comparison **)&found[9]);
  darkroom_host_recover(host, (const darkroom_host_recovery **)&found[10]);
  darkroom_host_list_sessions(host, (const darkroom_host_running **)&found[11]);
  darkroom_host_list_cameras(host, (const darkroom_host_camera **)&found[12]);
  darkroom_host_list_microphones(host, (const darkroom_host_microphone **)&found[13]);
  darkroom_host_list_key_bindings(host, (const darkroom_host_key_binding **)&found[14]);
  darkroom_host_set_passcode(host, "new", "old");
  darkroom_host_export_content(host, app, "s", "/d", path, sizeof path);
  darkroom_host_watch_content(host, app, NULL, &number);
  darkroom_host_get_lock_state(host, &settable);
  darkroom_host_get_context(host, app);
  darkroom_host_call(host, "rpc.discover", NULL, &result);
  for (size_t index = 0; index < sizeof found / sizeof *found; index++) darkroom_host_free(found[index]);
}

/// Uses the functions of darkroom-manage.h that decode results.
static void use_management(darkroom_host *host) {
  const char *app = "org.example.camera", *record = NULL;
  const void *found[12] = {NULL};
  darkroom_host_storage_limits limits = DARKROOM_HOST_STORAGE_LIMITS_INIT;
  char text[16];
  int64_t number;
  darkroom_host_check_readiness(host, "e", NULL, (const darkroom_host_check **)&found[0]);
  darkroom_host_list_assets(host, app, (const darkroom_host_asset_set **)&found[1]);
  darkroom_host_get_lock_status(host, (const darkroom_host_lock_status **)&found[2]);
  darkroom_host_get_storage_usage(host, app, (const darkroom_host_storage_usage **)&found[3], &limits);
  darkroom_host_add_photos(host, app, NULL, 0, (const darkroom_host_asset **)&found[4],
                           (const darkroom_host_text **)&found[5]);
  darkroom_host_verify_photos(host, (const darkroom_host_photo_difference **)&found[6]);
  darkroom_host_verify_log(host, "1:a", (const darkroom_host_log_verification **)&found[7]);
  darkroom_host_list_device_uses(host, app, 0, 0, (const darkroom_host_device_use **)&found[8],
                                 (const darkroom_host_text **)&found[9]);
  darkroom_host_list_active_sessions(host, (const darkroom_host_active_session **)&found[10]);
  darkroom_host_diagnose(host, NULL, 0, (const darkroom_host_diagnosis **)&found[11]);
  darkroom_host_get_record(host, "s", &record);
  darkroom_host_get_log_head(host, text, sizeof text);
  darkroom_host_open_app(host, app, NULL, text, sizeof text);
  darkroom_host_empty_trash(host, &number);
  for (size_t index = 0; index < sizeof found / sizeof *found; index++) darkroom_host_free(found[index]);
}

/// The number of blocks of sound that were read.
static unsigned blocks;

/// Uses sessions, events, frames and sound. Returns the number of frames.
static int use_sessions(darkroom_host *host) {
  darkroom_hosted_session *sessions[3] = {NULL, NULL, NULL};
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  const darkroom_host_result *result;
  int frames = 0;
  for (int count = 0; count < 24; count++) {
    darkroom_hosted_session **session = &sessions[roll(3)];
    if (*session == NULL) *session = darkroom_host_launch(host, "e", NULL);
    while (roll(2) == 0 && darkroom_host_next(host, &event, 0) > 0) {
      if (event.message != NULL && strlen(event.message) > LINE_BYTES) abort();
      if (event.params != NULL && strlen(event.params) > LINE_BYTES * 2) abort();
    }
    if (*session == NULL) continue;
    if (roll(3) == 0) darkroom_hosted_request_frame(*session);
    if (darkroom_hosted_take_frame(*session, &frame, (int)roll(3)) > 0) {
      uint8_t *bytes;
      size_t length;
      frames++;
      if (darkroom_encode_jpeg(&frame, 50, &bytes, &length) == 0) free(bytes);
    }
    if (roll(4) == 0) darkroom_hosted_release_frame(*session);
    darkroom_sound sound = DARKROOM_SOUND_INIT;
    if (roll(3) == 0 && darkroom_hosted_read_sound(*session, &sound, (int)roll(2)) > 0) blocks++;
    if (roll(4) == 0) darkroom_hosted_wait(*session, (int)roll(2), &result);
    if (roll(4) == 0) darkroom_hosted_close(*session), *session = NULL;
  }
  return frames;
}

/// Writes the header and the blocks of a sound ring to the memory file, which also has the frames of viewfinders.
static bool write_sound(void) {
  const uint32_t header[] = {0x52534B44, 1, 4096, 2, 128, 8000, 1, 1, 4};
  const uint64_t published = 2;
  bool is_written = pwrite(memory_file, header, sizeof header, 0) == sizeof header &&
                    pwrite(memory_file, &published, sizeof published, 128) == sizeof published;
  for (uint64_t number = 1; number <= 2; number++) {
    const uint64_t slot[] = {number, number, 0, number * 4, 4};
    is_written = pwrite(memory_file, slot, sizeof slot, (off_t)(3968 + 128 * number)) == sizeof slot && is_written;
  }
  return is_written;
}

static bool read_lines(const char *path) {
  FILE *input = fopen(path, "r");
  static char line[LINE_BYTES];
  if (input == NULL) return false;
  while (line_count < sizeof lines / sizeof *lines && fgets(line, sizeof line, input) != NULL) {
    line[strcspn(line, "\n")] = 0;
    lines[line_count++] = strdup(line);
  }
  fclose(input);
  return line_count > 0;
}

int main(int count, char **words) {
  char root[] = "/tmp/darkroom-c-fuzz-XXXXXX";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count < 3 || !read_lines(words[1]) || mkdtemp(root) == NULL) return 2;
  memory_file = memfd_create("viewfinder", MFD_CLOEXEC);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%s/serve", root);
  if (ftruncate(memory_file, 3 * 4096) != 0 || !write_sound() || mkdir(address.sun_path, 0700) != 0) return 2;
  strcat(address.sun_path, "/host");
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) return 2;
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  options.state_directory = root;
  unsigned rounds = (unsigned)atoi(words[2]), opened = 0, frames = 0;
  for (unsigned number = 0; number < rounds; number++) {
    pthread_t thread;
    struct server server = {listener, number};
    state = (number + 1) * 0x9E3779B97F4A7C15;
    if (pthread_create(&thread, NULL, serve, &server) != 0) return 2;
    darkroom_host *host = darkroom_host_open(&options, NULL);
    if (host != NULL) {
      opened++;
      darkroom_host_set_timeout(host, 5);
      if (roll(2) == 0) use_requests(host);
      if (roll(4) == 0) use_management(host);
      frames += (unsigned)use_sessions(host);
      darkroom_host_close(host);
    }
    pthread_join(thread, NULL);
  }
  unlink(address.sun_path);
  *strrchr(address.sun_path, '/') = 0;
  rmdir(address.sun_path);
  rmdir(root);
  // Descriptors are not leaked.
  int next = open("/dev/null", O_RDONLY);
  printf("opened %d frames %d blocks %d descriptors %d\n", opened > rounds / 2, frames > rounds / 10,
         blocks > rounds / 10, next == listener + 1);
  return 0;
}
