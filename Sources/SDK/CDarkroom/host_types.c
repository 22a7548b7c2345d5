// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

// The structures of darkroom-host.h, and the members of objects from which they are decoded.

_Static_assert(DK_COUNT_DIAGNOSTIC_SEVERITY == DARKROOM_HOST_SEVERITY_WARNING, "darkroom_host_severity differs");
_Static_assert(DK_COUNT_RESOURCE == DARKROOM_HOST_RESOURCE_PHOTOS_ADD_ONLY, "darkroom_host_resource differs");
_Static_assert(DK_COUNT_DECISION_DECISION == DARKROOM_HOST_DECISION_DEVICES, "darkroom_host_decision differs");
_Static_assert(DK_COUNT_SANDBOX_LAYERS_STATE == DARKROOM_HOST_LAYER_LEARNING, "darkroom_host_layer_state differs");
_Static_assert(DK_COUNT_OUTCOME_KIND == DARKROOM_HOST_OUTCOME_HOST_FAILURE, "darkroom_host_end differs");
_Static_assert(DK_COUNT_OUTCOME_BY == DARKROOM_HOST_BY_DEAD_HOST, "darkroom_host_initiator differs");
_Static_assert(DK_COUNT_EVENT_KIND == DARKROOM_HOST_SESSION_END, "darkroom_host_event_type differs");
_Static_assert(DK_COUNT_DIFFERENCE_EFFECT == DARKROOM_HOST_EFFECT_CHANGED, "darkroom_host_effect differs");
_Static_assert(DK_COUNT_LOG_ENTRY_KIND == DARKROOM_HOST_LOG_REPAIRED, "darkroom_host_log_kind differs");
_Static_assert(DK_COUNT_RECOVERED_FINDING == DARKROOM_HOST_FINDING_FAILED, "darkroom_host_finding differs");

// MARK: Apps

static const struct dk_field dk_extension_fields[] = {
    DK_VALUE(darkroom_host_extension, id, "id", DK_STRING),
    DK_VALUE(darkroom_host_extension, name, "name", DK_STRING),
    DK_VALUE(darkroom_host_extension, policy, "policy", DK_STRING),
    DK_VALUE(darkroom_host_extension, launch_deadline, "launchDeadline", DK_NUMBER),
    DK_VALUE(darkroom_host_extension, uses_protocol, "usesProtocol", DK_BOOLEAN),
};
static const struct dk_type dk_type_extension = DK_FIELDS(darkroom_host_extension, dk_extension_fields);

static const struct dk_field dk_control_fields[] = {
    DK_VALUE(darkroom_host_control, id, "id", DK_STRING),
    DK_VALUE(darkroom_host_control, extension, "extension", DK_STRING),
    DK_VALUE(darkroom_host_control, title, "title", DK_STRING),
    DK_OPTIONAL(darkroom_host_control, summary, "summary", DK_STRING),
    DK_VALUE(darkroom_host_control, requires_authentication, "requiresAuthentication", DK_BOOLEAN),
};
static const struct dk_type dk_type_control = DK_FIELDS(darkroom_host_control, dk_control_fields);

static const struct dk_field dk_app_fields[] = {
    DK_VALUE(darkroom_host_app, id, "id", DK_STRING),
    DK_VALUE(darkroom_host_app, name, "name", DK_STRING),
    DK_VALUE(darkroom_host_app, installed_at, "installedAt", DK_INTEGER),
    DK_NESTED(darkroom_host_app, extensions, "extensions", DK_ARRAY, &dk_type_extension),
    DK_NESTED(darkroom_host_app, controls, "controls", DK_ARRAY, &dk_type_control),
};
const struct dk_type dk_type_app = DK_FIELDS(darkroom_host_app, dk_app_fields);

static const char *const dk_severities[] = DK_NAMES_DIAGNOSTIC_SEVERITY;
static const struct dk_field dk_diagnostic_fields[] = {
    DK_NAMED(darkroom_host_diagnostic, severity, "severity", dk_severities),
    DK_VALUE(darkroom_host_diagnostic, file, "file", DK_STRING),
    DK_VALUE(darkroom_host_diagnostic, key, "key", DK_STRING),
    DK_VALUE(darkroom_host_diagnostic, reason, "reason", DK_STRING),
    DK_VALUE(darkroom_host_diagnostic, fix, "fix", DK_STRING),
    DK_OPTIONAL(darkroom_host_diagnostic, line, "line", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_diagnostic, column, "column", DK_INTEGER),
};
const struct dk_type dk_type_diagnostic = DK_FIELDS(darkroom_host_diagnostic, dk_diagnostic_fields);

static const struct dk_field dk_installation_fields[] = {
    DK_NESTED(darkroom_host_installation, app, "app", DK_OBJECT, &dk_type_app),
    DK_VALUE(darkroom_host_installation, replaced, "replaced", DK_BOOLEAN),
    DK_NESTED(darkroom_host_installation, warnings, "warnings", DK_ARRAY, &dk_type_diagnostic),
};
const struct dk_type dk_type_installation = DK_FIELDS(darkroom_host_installation, dk_installation_fields);

// MARK: Content

static const struct dk_field dk_content_fields[] = {
    DK_VALUE(darkroom_host_content, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_content, path, "path", DK_STRING),
    DK_OPTIONAL(darkroom_host_content, extension, "extension", DK_STRING),
    DK_VALUE(darkroom_host_content, files, "files", DK_INTEGER),
    DK_VALUE(darkroom_host_content, bytes, "bytes", DK_INTEGER),
};
const struct dk_type dk_type_content = DK_FIELDS(darkroom_host_content, dk_content_fields);

static const struct dk_field dk_quarantined_fields[] = {
    DK_VALUE(darkroom_host_quarantined, path, "path", DK_STRING),
    DK_VALUE(darkroom_host_quarantined, reason, "reason", DK_STRING),
    DK_VALUE(darkroom_host_quarantined, explanation, "explanation", DK_STRING),
};
static const struct dk_type dk_type_quarantined = DK_FIELDS(darkroom_host_quarantined, dk_quarantined_fields);

static const struct dk_field dk_quarantine_fields[] = {
    DK_VALUE(darkroom_host_quarantine, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_quarantine, path, "path", DK_STRING),
    DK_NESTED(darkroom_host_quarantine, entries, "entries", DK_ARRAY, &dk_type_quarantined),
};
const struct dk_type dk_type_quarantine = DK_FIELDS(darkroom_host_quarantine, dk_quarantine_fields);

// MARK: Permissions and policies

static const char *const dk_resources[] = DK_NAMES_RESOURCE;
static const char *const dk_decisions[] = DK_NAMES_DECISION_DECISION;

static const struct dk_field dk_permission_fields[] = {
    DK_NAMED(darkroom_host_permission, resource, "resource", dk_resources),
    DK_NAMED(darkroom_host_permission, decision, "decision.decision", dk_decisions),
    DK_OPTIONAL_NESTED(darkroom_host_permission, names, "decision.names", DK_ARRAY, NULL),
};
const struct dk_type dk_type_permission = DK_FIELDS(darkroom_host_permission, dk_permission_fields);

static const struct dk_field dk_explanation_fields[] = {
    DK_VALUE(darkroom_host_explanation, name, "name", DK_STRING),
    DK_VALUE(darkroom_host_explanation, digest, "digest", DK_STRING),
    DK_NESTED(darkroom_host_explanation, lines, "lines", DK_ARRAY, NULL),
};
const struct dk_type dk_type_explanation = DK_FIELDS(darkroom_host_explanation, dk_explanation_fields);

static const char *const dk_path_uses[] = DK_NAMES_PATH_ACCESS_USE;
static const struct dk_field dk_path_access_fields[] = {
    DK_VALUE(darkroom_host_path_access, path, "path", DK_STRING),
    DK_VALUE(darkroom_host_path_access, sentence, "sentence", DK_STRING),
    DK_OPTIONAL(darkroom_host_path_access, error_name, "errno", DK_STRING),
    DK_OPTIONAL(darkroom_host_path_access, line, "line", DK_STRING),
    DK_NESTED(darkroom_host_path_access, layers, "layerNames", DK_ARRAY, NULL),
    DK_NAMED(darkroom_host_path_access, use, "use", dk_path_uses),
    DK_VALUE(darkroom_host_path_access, allowed, "allowed", DK_BOOLEAN),
};
const struct dk_type dk_type_path_access = DK_FIELDS(darkroom_host_path_access, dk_path_access_fields);

static const struct dk_field dk_verdict_fields[] = {
    DK_VALUE(darkroom_host_verdict, property, "property", DK_STRING),
    DK_VALUE(darkroom_host_verdict, programs, "programs", DK_STRING),
    DK_VALUE(darkroom_host_verdict, proved, "proved", DK_BOOLEAN),
    DK_OPTIONAL(darkroom_host_verdict, failure, "failure", DK_STRING),
};
const struct dk_type dk_type_verdict = DK_FIELDS(darkroom_host_verdict, dk_verdict_fields);

static const char *const dk_effects[] = DK_NAMES_DIFFERENCE_EFFECT;
static const struct dk_field dk_difference_fields[] = {
    DK_VALUE(darkroom_host_difference, subject, "subject", DK_STRING),
    DK_NAMED(darkroom_host_difference, effect, "effect", dk_effects),
    DK_VALUE(darkroom_host_difference, old_behavior, "old", DK_STRING),
    DK_VALUE(darkroom_host_difference, new_behavior, "new", DK_STRING),
    DK_NESTED(darkroom_host_difference, conditions, "conditions", DK_ARRAY, NULL),
    DK_OPTIONAL(darkroom_host_difference, example, "example", DK_STRING),
};
static const struct dk_type dk_type_difference = DK_FIELDS(darkroom_host_difference, dk_difference_fields);

static const struct dk_field dk_comparison_fields[] = {
    DK_NESTED(darkroom_host_comparison, calls, "calls", DK_ARRAY, &dk_type_difference),
    DK_NESTED(darkroom_host_comparison, sandbox, "sandbox", DK_ARRAY, &dk_type_difference),
    DK_VALUE(darkroom_host_comparison, weaker, "weaker", DK_BOOLEAN),
};
const struct dk_type dk_type_comparison = DK_FIELDS(darkroom_host_comparison, dk_comparison_fields);

// MARK: Server

static const struct dk_field dk_info_fields[] = {
    DK_VALUE(darkroom_host_info, version, "version", DK_INTEGER),
    DK_VALUE(darkroom_host_info, process, "process", DK_INTEGER),
    DK_VALUE(darkroom_host_info, host, "host", DK_STRING),
    DK_VALUE(darkroom_host_info, state_directory, "state", DK_STRING),
};
const struct dk_type dk_type_info = DK_FIELDS(darkroom_host_info, dk_info_fields);

static const struct dk_field dk_running_fields[] = {
    DK_VALUE(darkroom_host_running, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_running, target, "target", DK_STRING),
};
const struct dk_type dk_type_running = DK_FIELDS(darkroom_host_running, dk_running_fields);

static const char *const dk_findings[] = DK_NAMES_RECOVERED_FINDING;
static const struct dk_field dk_recovered_fields[] = {
    DK_VALUE(darkroom_host_recovered, session, "session", DK_STRING),
    DK_NAMED(darkroom_host_recovered, finding, "finding", dk_findings),
    DK_OPTIONAL(darkroom_host_recovered, content, "content", DK_STRING),
    DK_OPTIONAL(darkroom_host_recovered, message, "message", DK_STRING),
};
static const struct dk_type dk_type_recovered = DK_FIELDS(darkroom_host_recovered, dk_recovered_fields);

static const struct dk_field dk_recovery_fields[] = {
    DK_NESTED(darkroom_host_recovery, sessions, "sessions", DK_ARRAY, &dk_type_recovered),
    DK_NESTED(darkroom_host_recovery, notices, "notices", DK_ARRAY, NULL),
};
const struct dk_type dk_type_recovery = DK_FIELDS(darkroom_host_recovery, dk_recovery_fields);

static const char *const dk_log_kinds[] = DK_NAMES_LOG_ENTRY_KIND;
static const char *const dk_log_outcomes[] = DK_NAMES_LOG_OUTCOME;
static const struct dk_field dk_log_entry_fields[] = {
    DK_VALUE(darkroom_host_log_entry, sequence, "sequence", DK_INTEGER),
    DK_VALUE(darkroom_host_log_entry, logged_at, "loggedAt", DK_INTEGER),
    DK_NAMED(darkroom_host_log_entry, kind, "kind", dk_log_kinds),
    DK_OPTIONAL(darkroom_host_log_entry, session, "session", DK_STRING),
    DK_OPTIONAL(darkroom_host_log_entry, app, "app", DK_STRING),
    DK_OPTIONAL(darkroom_host_log_entry, extension, "extension", DK_STRING),
    DK_OPTIONAL(darkroom_host_log_entry, record_digest, "recordDigest", DK_STRING),
    DK_OPTIONAL(darkroom_host_log_entry, started_at, "startedAt", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_log_entry, ended_at, "endedAt", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_log_entry, refusals, "refusals", DK_INTEGER),
    DK_OPTIONAL_NAMED(darkroom_host_log_entry, outcome, "outcome", dk_log_outcomes),
};
const struct dk_type dk_type_log_entry = DK_FIELDS(darkroom_host_log_entry, dk_log_entry_fields);

// MARK: Devices

static const struct dk_field dk_camera_fields[] = {
    DK_VALUE(darkroom_host_camera, camera, "camera", DK_STRING),
    DK_OPTIONAL(darkroom_host_camera, name, "name", DK_STRING),
    DK_OPTIONAL(darkroom_host_camera, driver, "driver", DK_STRING),
    DK_OPTIONAL(darkroom_host_camera, bus, "bus", DK_STRING),
    DK_OPTIONAL(darkroom_host_camera, device, "device", DK_STRING),
    DK_OPTIONAL(darkroom_host_camera, error, "error", DK_STRING),
};
const struct dk_type dk_type_camera = DK_FIELDS(darkroom_host_camera, dk_camera_fields);

static const struct dk_field dk_microphone_fields[] = {
    DK_VALUE(darkroom_host_microphone, microphone, "microphone", DK_STRING),
    DK_VALUE(darkroom_host_microphone, description, "description", DK_STRING),
};
const struct dk_type dk_type_microphone = DK_FIELDS(darkroom_host_microphone, dk_microphone_fields);

static const struct dk_field dk_key_binding_fields[] = {
    DK_VALUE(darkroom_host_key_binding, key, "key", DK_STRING),
    DK_VALUE(darkroom_host_key_binding, app, "app", DK_STRING),
    DK_VALUE(darkroom_host_key_binding, control, "control", DK_STRING),
};
const struct dk_type dk_type_key_binding = DK_FIELDS(darkroom_host_key_binding, dk_key_binding_fields);

// MARK: Sessions

static const char *const dk_layer_states[] = DK_NAMES_SANDBOX_LAYERS_STATE;
static const struct dk_field dk_layer_fields[] = {
    DK_VALUE(darkroom_host_layer, name, "name", DK_STRING),
    DK_NAMED(darkroom_host_layer, state, "state", dk_layer_states),
    DK_OPTIONAL(darkroom_host_layer, detail, "detail", DK_STRING),
};
static const struct dk_type dk_type_layer = DK_FIELDS(darkroom_host_layer, dk_layer_fields);

static const struct dk_field dk_sandbox_fields[] = {
    DK_VALUE(darkroom_host_sandbox, full, "full", DK_BOOLEAN),
    DK_NESTED(darkroom_host_sandbox, layers, "layers", DK_ARRAY, &dk_type_layer),
};
static const struct dk_type dk_type_sandbox = DK_FIELDS(darkroom_host_sandbox, dk_sandbox_fields);

static const struct dk_field dk_refusal_fields[] = {
    DK_VALUE(darkroom_host_refusal, layer, "layer", DK_STRING),
    DK_VALUE(darkroom_host_refusal, call, "call", DK_STRING),
    DK_VALUE(darkroom_host_refusal, program, "program", DK_STRING),
    DK_NESTED(darkroom_host_refusal, arguments, "arguments", DK_ARRAY, NULL),
    DK_VALUE(darkroom_host_refusal, count, "count", DK_INTEGER),
    DK_VALUE(darkroom_host_refusal, error_name, "errno", DK_STRING),
    DK_VALUE(darkroom_host_refusal, reason, "reason", DK_STRING),
    DK_VALUE(darkroom_host_refusal, sentence, "sentence", DK_STRING),
    DK_VALUE(darkroom_host_refusal, probe, "probe", DK_BOOLEAN),
};
static const struct dk_type dk_type_refusal = DK_FIELDS(darkroom_host_refusal, dk_refusal_fields);

static const char *const dk_ends[] = DK_NAMES_OUTCOME_KIND;
static const char *const dk_initiators[] = DK_NAMES_OUTCOME_BY;
static const struct dk_field dk_outcome_fields[] = {
    DK_NAMED(darkroom_host_outcome, kind, "kind", dk_ends),
    DK_OPTIONAL_NAMED(darkroom_host_outcome, initiator, "by", dk_initiators),
    DK_OPTIONAL(darkroom_host_outcome, exit_code, "exitCode", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_outcome, signal, "signal", DK_INTEGER),
    DK_OPTIONAL(darkroom_host_outcome, rule, "rule", DK_STRING),
    DK_OPTIONAL(darkroom_host_outcome, deadline, "deadline", DK_STRING),
    DK_OPTIONAL(darkroom_host_outcome, step, "step", DK_STRING),
    DK_OPTIONAL(darkroom_host_outcome, error_name, "errno", DK_STRING),
    DK_OPTIONAL_NESTED(darkroom_host_outcome, missing, "missing", DK_ARRAY, NULL),
};
static const struct dk_type dk_type_outcome = DK_FIELDS(darkroom_host_outcome, dk_outcome_fields);

static const struct dk_field dk_file_fields[] = {
    DK_VALUE(darkroom_host_file, path, "path", DK_STRING),
    DK_OPTIONAL(darkroom_host_file, sha256, "sha256", DK_STRING),
    DK_VALUE(darkroom_host_file, bytes, "size", DK_INTEGER),
};
static const struct dk_type dk_type_file = DK_FIELDS(darkroom_host_file, dk_file_fields);

static const struct dk_field dk_frame_count_fields[] = {
    DK_VALUE(darkroom_host_frame_counts, produced, "produced", DK_INTEGER),
    DK_VALUE(darkroom_host_frame_counts, consumed, "consumed", DK_INTEGER),
    DK_VALUE(darkroom_host_frame_counts, dropped, "dropped", DK_INTEGER),
};
static const struct dk_type dk_type_frame_counts = DK_FIELDS(darkroom_host_frame_counts, dk_frame_count_fields);

static const struct dk_field dk_result_fields[] = {
    DK_VALUE(darkroom_host_result, session, "session", DK_STRING),
    DK_VALUE(darkroom_host_result, app, "app", DK_STRING),
    DK_VALUE(darkroom_host_result, extension, "extension", DK_STRING),
    DK_NESTED(darkroom_host_result, outcome, "outcome", DK_OBJECT, &dk_type_outcome),
    DK_VALUE(darkroom_host_result, summary, "summary", DK_STRING),
    DK_VALUE(darkroom_host_result, exit_code, "exitCode", DK_INTEGER),
    DK_OPTIONAL_NESTED(darkroom_host_result, sandbox, "sandbox", DK_OBJECT, &dk_type_sandbox),
    DK_OPTIONAL(darkroom_host_result, content, "content", DK_STRING),
    DK_NESTED(darkroom_host_result, files, "files", DK_ARRAY, &dk_type_file),
    DK_NESTED(darkroom_host_result, quarantined, "quarantined", DK_ARRAY, &dk_type_quarantined),
    DK_NESTED(darkroom_host_result, refusals, "refusals", DK_ARRAY, &dk_type_refusal),
    DK_OPTIONAL_NESTED(darkroom_host_result, frames, "frames", DK_OBJECT, &dk_type_frame_counts),
    DK_VALUE(darkroom_host_result, record, "record", DK_STRING),
    DK_VALUE(darkroom_host_result, output, "output", DK_STRING),
    DK_NESTED(darkroom_host_result, notices, "notices", DK_ARRAY, NULL),
};
const struct dk_type dk_type_result = DK_FIELDS(darkroom_host_result, dk_result_fields);

static const char *const dk_events[] = DK_NAMES_EVENT_KIND;
static const struct dk_field dk_event_fields[] = {
    DK_NAMED(struct dk_event_members, kind, "kind", dk_events),
    DK_OPTIONAL(struct dk_event_members, accepts, "accepts", DK_BOOLEAN),
    DK_OPTIONAL_NESTED(struct dk_event_members, sandbox, "sandbox", DK_OBJECT, &dk_type_sandbox),
    DK_OPTIONAL_NESTED(struct dk_event_members, refusal, "refusal", DK_OBJECT, &dk_type_refusal),
    DK_OPTIONAL_NESTED(struct dk_event_members, outcome, "outcome", DK_OBJECT, &dk_type_outcome),
    DK_OPTIONAL(struct dk_event_members, message, "message", DK_STRING),
};
const struct dk_type dk_type_event = DK_FIELDS(struct dk_event_members, dk_event_fields);
