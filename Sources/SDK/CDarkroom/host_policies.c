// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

_Static_assert(DK_COUNT_POLICY_ACCESS_USE == DARKROOM_HOST_PATH_EXECUTE, "darkroom_host_path_use differs");

int darkroom_host_list_policies(darkroom_host *host, const darkroom_host_text **policies) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_POLICY_LIST);
  int count = dk_host_request_list(host, &text, "policies", NULL, &list);
  if (count >= 0) *policies = list;
  return count;
}

/// Adds the name or the absolute path of a policy. Returns false with an error if the path cannot be made absolute.
static bool dk_add_policy(darkroom_host *host, struct dk_text *text, const char *name, const char *policy) {
  char buffer[DK_PATH_BYTES];
  const char *path = dk_host_path_or_name(host, policy, buffer);
  if (path == NULL && policy != NULL) {
    dk_discard(text);
    return false;
  }
  dk_add_required(text, name, path);
  return true;
}

int darkroom_host_explain_policy(darkroom_host *host, const char *policy, int width,
                                 const darkroom_host_explanation **explanation) {
  const void *object = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_POLICY_EXPLAIN);
  if (!dk_add_policy(host, &text, "policy", policy)) return host->error.code;
  if (width != 0) dk_add_integer(&text, "width", width);
  int failure = dk_host_request_object(host, &text, &dk_type_explanation, &object);
  if (failure == 0) *explanation = object;
  return failure;
}

int darkroom_host_explain_access(darkroom_host *host, const char *policy, const char *path, darkroom_host_path_use use,
                                 const darkroom_host_path_access **access) {
  static const char *const uses[] = DK_NAMES_POLICY_ACCESS_USE;
  const void *object = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_POLICY_ACCESS);
  if (!dk_add_policy(host, &text, "policy", policy)) return host->error.code;
  dk_add_required(&text, "path", path);
  if (!dk_add_choice(&text, "use", (int)use, uses)) {
    dk_discard(&text);
    return dk_host_fail(host, DARKROOM_INVALID, 0, "the use of the path does not exist");
  }
  int failure = dk_host_request_object(host, &text, &dk_type_path_access, &object);
  if (failure != 0) return failure;
  int result = ((const darkroom_host_path_access *)object)->allowed ? 1 : 0;
  if (access != NULL)
    *access = object;
  else
    darkroom_host_free(object);
  return result;
}

int darkroom_host_verify_policy(darkroom_host *host, const char *policy, const darkroom_host_verdict **verdicts) {
  struct dk_json result;
  bool is_proved = false;
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_POLICY_VERIFY);
  if (!dk_add_policy(host, &text, "policy", policy)) return host->error.code;
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_boolean(dk_json_member(result, "proved"), &is_proved)) return dk_host_bad_result(host, "proved");
  if (verdicts == NULL) return is_proved ? 1 : 0;
  int count = dk_host_decode_list(host, dk_json_member(result, "verdicts"), &dk_type_verdict, &list);
  if (count < 0) return count;
  *verdicts = list;
  return is_proved ? 1 : 0;
}

int darkroom_host_compare_policies(darkroom_host *host, const char *old_policy, const char *new_policy,
                                   const darkroom_host_comparison **comparison) {
  const void *object = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_POLICY_DIFFERENCE);
  if (!dk_add_policy(host, &text, "old", old_policy) || !dk_add_policy(host, &text, "new", new_policy))
    return host->error.code;
  int failure = dk_host_request_object(host, &text, &dk_type_comparison, &object);
  if (failure == 0) *comparison = object;
  return failure;
}
