// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Negotiates the version of the interface.
static int dk_greet(darkroom_host *host, const char *client) {
  struct dk_json result;
  struct dk_text text = dk_host_begin(host, DK_METHOD_HOST_HELLO);
  dk_add_name(&text, "versions");
  dk_put(&text, "[");
  dk_put_integer(&text, DK_INTERFACE_VERSION);
  dk_put(&text, "]");
  dk_add_text(&text, "client", client);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  const darkroom_host_info *info = dk_host_decode(host, result, &dk_type_info, &host->info_memory);
  if (info == NULL) return host->error.code;
  host->info = *info;
  if (info->version == DK_INTERFACE_VERSION) return 0;
  return dk_host_fail(host, DARKROOM_UNSUPPORTED_VERSION, 0, "the server does not support version 1 of the interface");
}

/// Opens the connection in an empty structure.
static int dk_host_open(darkroom_host *host, const darkroom_host_options *options) {
  char directory[DK_PATH_BYTES];
  host->socket = -1;
  host->interruption = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  host->timeout = 30000;
  host->last = &host->first;
  host->error.size = sizeof host->error;
  if (host->interruption < 0) return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, errno, "eventfd(2) failed");
  int failure = dk_state_directory(options->state_directory, directory);
  if (failure != 0)
    return dk_host_fail(host, DARKROOM_INVALID, failure, "the state directory is unknown; set HOME or DARKROOM_ROOT");
  int result = dk_host_connect(host, directory);
  if (result == DARKROOM_NO_HOST && options->start) result = dk_host_start(host, directory, options);
  return result == 0 ? dk_greet(host, options->client) : result;
}

/// Copies the reason of a failure to the caller.
static void dk_return_error(darkroom_error *to, const darkroom_error *error) {
  if (dk_has_size(to, DK_LEAST(darkroom_error, text))) dk_copy_out(to, error, sizeof *error);
}

darkroom_host *darkroom_host_open(const darkroom_host_options *options, darkroom_error *error) {
  darkroom_host_options given = DARKROOM_HOST_OPTIONS_INIT;
  darkroom_error failure = DARKROOM_ERROR_INIT;
  bool is_valid = options == NULL || dk_has_size(options, DK_LEAST(darkroom_host_options, start_timeout));
  darkroom_host *host = is_valid ? calloc(1, sizeof *host) : NULL;
  if (host == NULL) {
    if (is_valid)
      dk_describe(&failure, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a connection");
    else
      dk_describe(&failure, DARKROOM_INVALID, 0, "the options were not initialized with DARKROOM_HOST_OPTIONS_INIT");
    dk_return_error(error, &failure);
    return NULL;
  }
  if (options != NULL) dk_copy_in(&given, options, sizeof given);
  if (dk_host_open(host, &given) == 0) return host;
  dk_return_error(error, &host->error);
  darkroom_host_close(host);
  return NULL;
}

void darkroom_host_close(darkroom_host *host) {
  if (host == NULL) return;
  if (host->socket >= 0) close(host->socket);
  if (host->interruption >= 0) close(host->interruption);
  dk_host_stop(host);
  while (host->sessions != NULL) dk_host_remove_session(host->sessions);
  while (host->first != NULL) {
    struct dk_queued *queued = host->first;
    host->first = queued->next;
    free(queued->line);
    free(queued);
  }
  while (host->pending != NULL) {
    struct dk_pending *pending = host->pending;
    host->pending = pending->next;
    free(pending);
  }
  while (host->descriptor_count > 0) close(dk_host_take_descriptor(host));
  dk_release(&host->event);
  dk_release(&host->info_memory);
  free(host->inbox);
  free(host->reply);
  free(host->reply_text);
  free(host->error_data);
  free(host);
}

const darkroom_host_info *darkroom_host_get_info(const darkroom_host *host) { return &host->info; }

void darkroom_host_set_timeout(darkroom_host *host, int milliseconds) { host->timeout = milliseconds; }

void darkroom_host_interrupt(darkroom_host *host) { dk_increment(host->interruption); }

int darkroom_host_descriptor(const darkroom_host *host) { return host->socket; }
