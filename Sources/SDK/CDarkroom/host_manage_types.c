// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

// The structures of darkroom-manage.h, and the members of objects from which they are decoded.

_Static_assert(DK_COUNT_READINESS_CHECK_CONDITION == DARKROOM_HOST_CONDITION_APP_OPENABLE,
               "darkroom_host_condition differs");
_Static_assert(DK_COUNT_LOG_VERIFICATION_HEAD_COMPARISON == DARKROOM_HOST_HEAD_REPLACED,
               "darkroom_host_head_comparison differs");
_Static_assert(DK_COUNT_MACHINE_REPORT_STATUS == DARKROOM_HOST_SUPPORT_UNAVAILABLE, "darkroom_host_support differs");
_Static_assert(DK_COUNT_MACHINE_PROPERTY_STATE == DARKROOM_HOST_PROPERTY_MISSING,
               "darkroom_host_property_state differs");
_Static_assert(DK_COUNT_LAYER_REPORT_STATE == DARKROOM_HOST_LAYER_LEARNING, "darkroom_host_layer_state differs");
_Static_assert(DK_COUNT_DEVICE_USE_RESOURCE == DARKROOM_HOST_RESOURCE_MICROPHONE, "darkroom_host_resource differs");
_Static_assert(DK_COUNT_LOCK_REPORTS_STATE == DARKROOM_UNLOCKED, "darkroom_lock_state differs");

// MARK: Apps

static const char *const dk_conditions[] = DK_NAMES_READINESS_CHECK_CONDITION;
static const struct dk_field dk_check_fields[] = {
    DK_NAMED(darkroom_host_check, condition, "condition", dk_conditions),
    DK_OPTIONAL(darkroom_host_check, message, "message", DK_STRING),
};
const struct dk_type dk_type_check = DK_FIELDS(darkroom_host_check, dk_check_fields);

static const struct dk_field dk_asset_set_fields[] = {
    DK_VALUE(darkroom_host_asset_set, generation, "generation", DK_INTEGER),
    DK_VALUE(darkroom_host_asset_set, files, "files", DK_INTEGER),
    DK_VALUE(darkroom_host_asset_set, bytes, "bytes", DK_INTEGER),
    DK_VALUE(darkroom_host_asset_set, published_at, "publishedAt", DK_INTEGER),
    DK_VALUE(darkroom_host_asset_set, current, "current", DK_BOOLEAN),
    DK_VALUE(darkroom_host_asset_set, used, "used", DK_BOOLEAN),
};
const struct dk_type dk_type_asset_set = DK_FIELDS(darkroom_host_asset_set, dk_asset_set_fields);

// MARK: Lock and storage

static const char *const dk_lock_states[] = DK_NAMES_LOCK_REPORTS_STATE;
static const struct dk_field dk_lock_report_fields[] = {
    DK_NAMED(darkroom_host_lock_report, state, "state", dk_lock_states),
    DK_VALUE(darkroom_host_lock_report, reason, "reason", DK_STRING),
};
static const struct dk_type dk_type_lock_report = DK_FIELDS(darkroom_host_lock_report, dk_lock_report_fields);

static const struct dk_field dk_lock_status_fields[] = {
    DK_NAMED(darkroom_host_lock_status, state, "state", dk_lock_states),
    DK_VALUE(darkroom_host_lock_status, was_unlocked, "wasUnlocked", DK_BOOLEAN),
    DK_NESTED(darkroom_host_lock_status, reports, "reports", DK_ARRAY, &dk_type_lock_report),
};
const struct dk_type dk_type_lock_status = DK_FIELDS(darkroom_host_lock_status, dk_lock_status_fields);

static const struct dk_field dk_storage_usage_fields[] = {
    DK_VALUE(darkroom_host_storage_usage, bytes, "bytes", DK_INTEGER),
    DK_VALUE(darkroom_host_storage_usage, files, "files", DK_INTEGER),
    DK_VALUE(darkroom_host_storage_usage, sessions, "sessions", DK_INTEGER),
    DK_VALUE(darkroom_host_storage_usage, free, "free", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_storage_usage, refusal, "refusal", DK_STRING),
};
const struct dk_type dk_type_storage_usage = DK_FIELDS(darkroom_host_storage_usage, dk_storage_usage_fields);

// MARK: Photo library

static const struct dk_field dk_asset_fields[] = {
    DK_VALUE(darkroom_host_asset, id, "id", DK_STRING),
    DK_VALUE(darkroom_host_asset, title, "title", DK_STRING),
    DK_VALUE(darkroom_host_asset, path, "path", DK_STRING),
    DK_VALUE(darkroom_host_asset, media_type, "mediaType", DK_STRING),
    DK_VALUE(darkroom_host_asset, app, "app", DK_STRING),
    DK_OPTIONAL(darkroom_host_asset, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_asset, bytes, "bytes", DK_INTEGER),
    DK_VALUE(darkroom_host_asset, created_at, "createdAt", DK_INTEGER),
};
const struct dk_type dk_type_asset = DK_FIELDS(darkroom_host_asset, dk_asset_fields);

static const struct dk_field dk_photo_difference_fields[] = {
    DK_NESTED(darkroom_host_photo_difference, asset, "asset", DK_OBJECT, &dk_type_asset),
    DK_VALUE(darkroom_host_photo_difference, missing, "missing", DK_BOOLEAN),
};
const struct dk_type dk_type_photo_difference = DK_FIELDS(darkroom_host_photo_difference, dk_photo_difference_fields);

// MARK: Session log

static const char *const dk_head_comparisons[] = DK_NAMES_LOG_VERIFICATION_HEAD_COMPARISON;
static const struct dk_field dk_log_verification_fields[] = {
    DK_VALUE(darkroom_host_log_verification, entries, "entries", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_log_verification, head, "head", DK_STRING),
    DK_OPTIONAL(darkroom_host_log_verification, invalid_line, "invalidLine", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_log_verification, invalid_reason, "invalidReason", DK_STRING),
    DK_OPTIONAL_NAMED(darkroom_host_log_verification, comparison, "headComparison", dk_head_comparisons),
    DK_NESTED(darkroom_host_log_verification, changed_records, "changedRecords", DK_ARRAY, NULL),
};
const struct dk_type dk_type_log_verification = DK_FIELDS(darkroom_host_log_verification, dk_log_verification_fields);

static const char *const dk_used_resources[] = DK_NAMES_DEVICE_USE_RESOURCE;
static const struct dk_field dk_device_use_fields[] = {
    DK_NAMED(darkroom_host_device_use, resource, "resource", dk_used_resources),
    DK_VALUE(darkroom_host_device_use, running, "running", DK_BOOLEAN),
    DK_VALUE(darkroom_host_device_use, device, "device", DK_STRING),
    DK_VALUE(darkroom_host_device_use, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_device_use, app, "app", DK_STRING),
    DK_VALUE(darkroom_host_device_use, extension, "extension", DK_STRING),
    DK_VALUE(darkroom_host_device_use, started_at, "startedAt", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_device_use, milliseconds, "milliseconds", DK_INTEGER),
};
const struct dk_type dk_type_device_use = DK_FIELDS(darkroom_host_device_use, dk_device_use_fields);

// MARK: Machine

static const struct dk_field dk_active_session_fields[] = {
    DK_VALUE(darkroom_host_active_session, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_active_session, app, "app", DK_STRING),
    DK_VALUE(darkroom_host_active_session, extension, "extension", DK_STRING),
    DK_VALUE(darkroom_host_active_session, process, "process", DK_INTEGER),
    DK_VALUE(darkroom_host_active_session, started_at, "startedAt", DK_INTEGER),
    DK_VALUE(darkroom_host_active_session, prewarmed, "prewarmed", DK_BOOLEAN),
};
const struct dk_type dk_type_active_session = DK_FIELDS(darkroom_host_active_session, dk_active_session_fields);

static const struct dk_field dk_fix_fields[] = {
    DK_VALUE(darkroom_host_fix, sentence, "sentence", DK_STRING),
    DK_NESTED(darkroom_host_fix, commands, "commands", DK_ARRAY, NULL),
    DK_OPTIONAL(darkroom_host_fix, file_path, "file.path", DK_STRING),
    DK_OPTIONAL(darkroom_host_fix, file_text, "file.text", DK_STRING),
};
static const struct dk_type dk_type_fix = DK_FIELDS(darkroom_host_fix, dk_fix_fields);

static const char *const dk_property_states[] = DK_NAMES_MACHINE_PROPERTY_STATE;
static const struct dk_field dk_property_fields[] = {
    DK_VALUE(darkroom_host_property, name, "name", DK_STRING),
    DK_VALUE(darkroom_host_property, detail, "detail", DK_STRING),
    DK_NAMED(darkroom_host_property, state, "state", dk_property_states),
    DK_NESTED(darkroom_host_property, fixes, "fixes", DK_ARRAY, &dk_type_fix),
};
static const struct dk_type dk_type_property = DK_FIELDS(darkroom_host_property, dk_property_fields);

static const char *const dk_layer_states[] = DK_NAMES_LAYER_REPORT_STATE;
static const struct dk_field dk_layer_report_fields[] = {
    DK_VALUE(darkroom_host_layer_report, name, "name", DK_STRING),
    DK_VALUE(darkroom_host_layer_report, detail, "detail", DK_STRING),
    DK_NAMED(darkroom_host_layer_report, state, "state", dk_layer_states),
    DK_NESTED(darkroom_host_layer_report, fixes, "fixes", DK_ARRAY, &dk_type_fix),
};
static const struct dk_type dk_type_layer_report = DK_FIELDS(darkroom_host_layer_report, dk_layer_report_fields);

static const char *const dk_supports[] = DK_NAMES_MACHINE_REPORT_STATUS;
static const struct dk_field dk_trial_fields[] = {
    DK_VALUE(darkroom_host_trial, policy, "policy", DK_STRING),
    DK_NAMED(darkroom_host_trial, status, "status", dk_supports),
    DK_NESTED(darkroom_host_trial, layers, "layers", DK_ARRAY, &dk_type_layer_report),
    DK_NESTED(darkroom_host_trial, remarks, "remarks", DK_ARRAY, NULL),
};
static const struct dk_type dk_type_trial = DK_FIELDS(darkroom_host_trial, dk_trial_fields);

static const struct dk_field dk_diagnosis_fields[] = {
    DK_NAMED(darkroom_host_diagnosis, status, "status", dk_supports),
    DK_NESTED(darkroom_host_diagnosis, properties, "machine", DK_ARRAY, &dk_type_property),
    DK_NESTED(darkroom_host_diagnosis, trials, "trials", DK_ARRAY, &dk_type_trial),
};
const struct dk_type dk_type_diagnosis = DK_FIELDS(darkroom_host_diagnosis, dk_diagnosis_fields);

static const struct dk_field dk_capture_fields[] = {
    DK_VALUE(darkroom_host_capture, path, "path", DK_STRING),
    DK_VALUE(darkroom_host_capture, bytes, "bytes", DK_INTEGER),
    DK_VALUE(darkroom_host_capture, frames, "frames", DK_INTEGER),
    DK_VALUE(darkroom_host_capture, width, "width", DK_INTEGER),
    DK_VALUE(darkroom_host_capture, height, "height", DK_INTEGER),
    DK_VALUE(darkroom_host_capture, frame_rate, "frameRate", DK_NUMBER),
};
const struct dk_type dk_type_capture = DK_FIELDS(darkroom_host_capture, dk_capture_fields);
