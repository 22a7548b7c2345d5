// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

struct dk_text dk_begin_for_app(darkroom_host *host, const char *method, const char *app) {
  struct dk_text text = dk_host_begin(host, method);
  dk_add_required(&text, "app", app);
  return text;
}

// MARK: Apps

int darkroom_host_list_apps(darkroom_host *host, const darkroom_host_app **apps, const darkroom_host_text **failures) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_APPS_LIST);
  int count = dk_host_request_list_with_failures(host, &text, "apps", &dk_type_app, &list, failures);
  if (count >= 0) *apps = list;
  return count;
}

int darkroom_host_find_app(darkroom_host *host, const char *app, const darkroom_host_app **found) {
  const void *object = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_APPS_FIND, app);
  int failure = dk_host_request_object(host, &text, &dk_type_app, &object);
  if (failure == 0) *found = object;
  return failure;
}

/// Starts a request with the path of a bundle. Returns false with an error if the path cannot be made absolute.
static bool dk_begin_for_bundle(darkroom_host *host, const char *method, const char *bundle, struct dk_text *text) {
  char buffer[DK_PATH_BYTES];
  const char *path = dk_host_path(host, bundle, buffer);
  if (path == NULL && bundle != NULL) return false;
  *text = dk_host_begin(host, method);
  dk_add_required(text, "bundle", path);
  return true;
}

int darkroom_host_validate(darkroom_host *host, const char *bundle, const darkroom_host_diagnostic **diagnostics) {
  struct dk_text text;
  const void *list = NULL;
  if (!dk_begin_for_bundle(host, DK_METHOD_APPS_VALIDATE, bundle, &text)) return host->error.code;
  int count = dk_host_request_list(host, &text, "diagnostics", &dk_type_diagnostic, &list);
  if (count >= 0) *diagnostics = list;
  return count;
}

int darkroom_host_install(darkroom_host *host, const char *bundle, const darkroom_host_installation **installation) {
  struct dk_text text;
  const void *object = NULL;
  if (!dk_begin_for_bundle(host, DK_METHOD_APPS_INSTALL, bundle, &text)) return host->error.code;
  if (installation == NULL) return dk_host_perform(host, &text);
  int failure = dk_host_request_object(host, &text, &dk_type_installation, &object);
  if (failure == 0) *installation = object;
  return failure;
}

int darkroom_host_uninstall(darkroom_host *host, const char *app, bool discard_content) {
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_APPS_UNINSTALL, app);
  dk_add_text(&text, "pendingContent", discard_content ? "discard" : NULL);
  return dk_host_perform(host, &text);
}

// MARK: Content

int darkroom_host_list_content(darkroom_host *host, const char *app, const darkroom_host_content **content) {
  const void *list = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_CONTENT_LIST, app);
  int count = dk_host_request_list(host, &text, "deliveries", &dk_type_content, &list);
  if (count >= 0) *content = list;
  return count;
}

int darkroom_host_export_content(darkroom_host *host, const char *app, const char *session, const char *directory,
                                 char *path, size_t size) {
  char buffer[DK_PATH_BYTES];
  struct dk_json result;
  const char *absolute = dk_host_path(host, directory, buffer);
  if (absolute == NULL && directory != NULL) return host->error.code;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_CONTENT_EXPORT, app);
  dk_add_required(&text, "session", session);
  dk_add_required(&text, "directory", absolute);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  return failure != 0 ? failure : dk_host_copy_member(host, result, "path", path, size);
}

int darkroom_host_invalidate_content(darkroom_host *host, const char *app, const char *session) {
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_CONTENT_INVALIDATE, app);
  dk_add_required(&text, "session", session);
  return dk_host_perform(host, &text);
}

int darkroom_host_list_quarantine(darkroom_host *host, const char *app, const darkroom_host_quarantine **quarantine) {
  const void *list = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_CONTENT_QUARANTINE, app);
  int count = dk_host_request_list(host, &text, "quarantined", &dk_type_quarantine, &list);
  if (count >= 0) *quarantine = list;
  return count;
}

int darkroom_host_watch_content(darkroom_host *host, const char *app, const char *consumer, int64_t *subscription) {
  struct dk_json result;
  int64_t number;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_CONTENT_WATCH, app);
  dk_add_text(&text, "consumer", consumer);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_integer(dk_json_member(result, "subscription"), &number))
    return dk_host_bad_result(host, "subscription");
  if (subscription != NULL) *subscription = number;
  return 0;
}

int darkroom_host_unwatch_content(darkroom_host *host, int64_t subscription) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_CONTENT_UNWATCH);
  dk_add_integer(&text, "subscription", subscription);
  return dk_host_perform(host, &text);
}

// MARK: App context and permissions

const char *darkroom_host_get_context(darkroom_host *host, const char *app) {
  struct dk_json result;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_CONTEXT_GET, app);
  if (dk_host_finish(host, &text, DK_USE_NONE, &result) != 0) return NULL;
  if (dk_json_is_null(dk_json_member(result, "context"))) return "null";
  return dk_host_keep_member(host, result, "context");
}

int darkroom_host_set_context(darkroom_host *host, const char *app, const char *json) {
  struct dk_text context = {0};
  if (json != NULL && !dk_put_json(&context, json)) {
    dk_discard(&context);
    return dk_host_fail(host, DARKROOM_INVALID, 0, "the context is not valid JSON");
  }
  struct dk_text text = dk_begin_for_app(host, json == NULL ? DK_METHOD_CONTEXT_CLEAR : DK_METHOD_CONTEXT_SET, app);
  dk_add_text(&text, "context", context.bytes);
  if (context.failed) text.failed = true;
  dk_discard(&context);
  return dk_host_perform(host, &text);
}

int darkroom_host_list_permissions(darkroom_host *host, const char *app, const darkroom_host_permission **permissions) {
  const void *list = NULL;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_PERMISSIONS_GET, app);
  int count = dk_host_request_list(host, &text, "permissions", &dk_type_permission, &list);
  if (count >= 0) *permissions = list;
  return count;
}

int darkroom_host_set_permission(darkroom_host *host, const char *app, darkroom_host_resource resource,
                                 darkroom_host_decision decision, const char *const *names, size_t count) {
  static const char *const resources[] = DK_NAMES_RESOURCE;
  static const char *const decisions[] = DK_NAMES_DECISION_DECISION;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_PERMISSIONS_SET, app);
  bool is_valid = dk_add_choice(&text, "resource", (int)resource, resources);
  dk_add_name(&text, "decision");
  dk_put(&text, "{");
  is_valid = dk_add_choice(&text, "decision", (int)decision, decisions) && is_valid;
  bool has_names = decision == DARKROOM_HOST_DECISION_ASSETS || decision == DARKROOM_HOST_DECISION_DEVICES;
  if (has_names)
    dk_add_array(&text, "names", names, count);
  else
    dk_add_texts(&text, "names", names, count);
  dk_put(&text, "}");
  if (is_valid) return dk_host_perform(host, &text);
  dk_discard(&text);
  return dk_host_fail(host, DARKROOM_INVALID, 0, "the resource or the decision does not exist");
}

int darkroom_host_reset_permission(darkroom_host *host, const char *app, int resource) {
  static const char *const resources[] = DK_NAMES_RESOURCE;
  struct dk_text text = dk_begin_for_app(host, DK_METHOD_PERMISSIONS_RESET, app);
  if (resource == 0 || dk_add_choice(&text, "resource", resource, resources)) return dk_host_perform(host, &text);
  dk_discard(&text);
  return dk_host_fail(host, DARKROOM_INVALID, 0, "the resource does not exist");
}
