// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

_Static_assert(DK_COUNT_LOCK_SET_STATE == DARKROOM_UNLOCKED, "darkroom_lock_state differs");
_Static_assert(DK_COUNT_LOG_OUTCOME == DARKROOM_HOST_OUTCOME_HOST_FAILURE, "darkroom_host_end differs");

int darkroom_host_get_lock_state(darkroom_host *host, bool *settable) {
  static const char *const states[] = DK_NAMES_LOCK_GET_RESULT_STATE;
  struct dk_json result;
  bool is_settable;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOCK_GET);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  int state = dk_json_choice(dk_json_member(result, "state"), states);
  if (state == 0) return dk_host_bad_result(host, "state");
  if (!dk_json_boolean(dk_json_member(result, "settable"), &is_settable)) return dk_host_bad_result(host, "settable");
  if (settable != NULL) *settable = is_settable;
  return state;
}

int darkroom_host_set_lock_state(darkroom_host *host, darkroom_lock_state state) {
  static const char *const states[] = DK_NAMES_LOCK_SET_STATE;
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOCK_SET);
  if (dk_add_choice(&text, "state", (int)state, states)) return dk_host_perform(host, &text);
  dk_discard(&text);
  return dk_host_fail(host, DARKROOM_INVALID, 0, "the lock state does not exist");
}

int darkroom_host_list_sessions(darkroom_host *host, const darkroom_host_running **sessions) {
  const void *list = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_SESSION_LIST);
  int count = dk_host_request_list(host, &text, "sessions", &dk_type_running, &list);
  if (count >= 0) *sessions = list;
  return count;
}

int darkroom_host_recover(darkroom_host *host, const darkroom_host_recovery **recovery) {
  struct dk_json result;
  bool is_clean = false;
  struct dk_memory *memory = NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_HOST_RECOVER);
  int failure = dk_host_finish(host, &text, DK_USE_NONE, &result);
  if (failure != 0) return failure;
  if (!dk_json_boolean(dk_json_member(result, "clean"), &is_clean)) return dk_host_bad_result(host, "clean");
  if (recovery == NULL) return is_clean ? 1 : 0;
  *recovery = dk_host_decode(host, result, &dk_type_recovery, &memory);
  return *recovery == NULL ? host->error.code : is_clean ? 1 : 0;
}

int darkroom_host_list_log(darkroom_host *host, const darkroom_host_log_filter *filter,
                           const darkroom_host_log_entry **entries) {
  static const char *const outcomes[] = DK_NAMES_LOG_OUTCOME;
  darkroom_host_log_filter given = DARKROOM_HOST_LOG_FILTER_INIT;
  const void *list = NULL;
  if (filter != NULL && !dk_host_accepts(host, filter, DK_LEAST(darkroom_host_log_filter, until)))
    return DARKROOM_INVALID;
  if (filter != NULL) dk_copy_in(&given, filter, sizeof given);
  if (given.outcome < 0 || given.outcome > DK_COUNT_LOG_OUTCOME)
    return dk_host_fail(host, DARKROOM_INVALID, 0, "the outcome does not exist");
  struct dk_text text = dk_host_begin(host, DK_METHOD_LOG_LIST);
  dk_add_text(&text, "app", given.app);
  dk_add_text(&text, "extension", given.extension);
  if (given.outcome != 0) dk_add_texts(&text, "outcomes", &outcomes[given.outcome - 1], 1);
  if (given.since >= 0) dk_add_integer(&text, "since", given.since);
  if (given.until >= 0) dk_add_integer(&text, "until", given.until);
  if (given.limit != 0) dk_add_integer(&text, "limit", given.limit);
  int count = dk_host_request_list(host, &text, "entries", &dk_type_log_entry, &list);
  if (count >= 0) *entries = list;
  return count;
}
