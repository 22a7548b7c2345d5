// SPDX-License-Identifier: Apache-2.0
// Made by .ci/interface from host.openrpc.json. Change the description instead of this file.
#ifndef DARKROOM_HOST_INTERFACE_H
#define DARKROOM_HOST_INTERFACE_H

/// The version of the interface.
#define DK_INTERFACE_VERSION 1

// The methods.
#define DK_METHOD_HOST_HELLO "host/hello"
#define DK_METHOD_RPC_DISCOVER "rpc.discover"
#define DK_METHOD_APPS_LIST "apps/list"
#define DK_METHOD_APPS_FIND "apps/find"
#define DK_METHOD_APPS_VALIDATE "apps/validate"
#define DK_METHOD_APPS_INSTALL "apps/install"
#define DK_METHOD_APPS_UNINSTALL "apps/uninstall"
#define DK_METHOD_APPS_OPEN "apps/open"
#define DK_METHOD_CONTENT_LIST "content/list"
#define DK_METHOD_CONTENT_EXPORT "content/export"
#define DK_METHOD_CONTENT_INVALIDATE "content/invalidate"
#define DK_METHOD_CONTENT_QUARANTINE "content/quarantine"
#define DK_METHOD_CONTENT_WATCH "content/watch"
#define DK_METHOD_CONTENT_UNWATCH "content/unwatch"
#define DK_METHOD_CONTEXT_GET "context/get"
#define DK_METHOD_CONTEXT_SET "context/set"
#define DK_METHOD_CONTEXT_CLEAR "context/clear"
#define DK_METHOD_PERMISSIONS_GET "permissions/get"
#define DK_METHOD_PERMISSIONS_SET "permissions/set"
#define DK_METHOD_PERMISSIONS_RESET "permissions/reset"
#define DK_METHOD_CONTROL_PRESS "control/press"
#define DK_METHOD_CONTROL_READINESS "control/readiness"
#define DK_METHOD_CONTROL_BINDINGS "control/bindings"
#define DK_METHOD_CONTROL_BIND "control/bind"
#define DK_METHOD_CONTROL_UNBIND "control/unbind"
#define DK_METHOD_DEVICE_LIST_CAMERAS "device/listCameras"
#define DK_METHOD_DEVICE_LIST_MICROPHONES "device/listMicrophones"
#define DK_METHOD_DEVICE_CAPTURE "device/capture"
#define DK_METHOD_SESSION_LAUNCH "session/launch"
#define DK_METHOD_SESSION_LAUNCH_PROGRAM "session/launchProgram"
#define DK_METHOD_SESSION_LIST "session/list"
#define DK_METHOD_SESSION_PRESS "session/press"
#define DK_METHOD_SESSION_POINTER "session/pointer"
#define DK_METHOD_SESSION_ADJUST "session/adjust"
#define DK_METHOD_SESSION_DISMISS "session/dismiss"
#define DK_METHOD_SESSION_TERMINATE "session/terminate"
#define DK_METHOD_SESSION_RESULT "session/result"
#define DK_METHOD_VIEWFINDER_OPEN "viewfinder/open"
#define DK_METHOD_VIEWFINDER_NEXT "viewfinder/next"
#define DK_METHOD_VIEWFINDER_RELEASE "viewfinder/release"
#define DK_METHOD_VIEWFINDER_IMAGE "viewfinder/image"
#define DK_METHOD_SOUND_OPEN "sound/open"
#define DK_METHOD_SOUND_NEXT "sound/next"
#define DK_METHOD_LOCK_GET "lock/get"
#define DK_METHOD_LOCK_SET "lock/set"
#define DK_METHOD_LOCK_STATUS "lock/status"
#define DK_METHOD_LOCK_LOCK "lock/lock"
#define DK_METHOD_PASSCODE_GET "passcode/get"
#define DK_METHOD_PASSCODE_SET "passcode/set"
#define DK_METHOD_PASSCODE_CLEAR "passcode/clear"
#define DK_METHOD_POLICY_LIST "policy/list"
#define DK_METHOD_POLICY_EXPLAIN "policy/explain"
#define DK_METHOD_POLICY_ACCESS "policy/access"
#define DK_METHOD_POLICY_VERIFY "policy/verify"
#define DK_METHOD_POLICY_DIFFERENCE "policy/difference"
#define DK_METHOD_LOG_LIST "log/list"
#define DK_METHOD_LOG_RECORD "log/record"
#define DK_METHOD_LOG_VERIFY "log/verify"
#define DK_METHOD_LOG_HEAD "log/head"
#define DK_METHOD_LOG_DEVICE_USES "log/deviceUses"
#define DK_METHOD_STORAGE_LIMITS "storage/limits"
#define DK_METHOD_STORAGE_SET_LIMITS "storage/setLimits"
#define DK_METHOD_STORAGE_USAGE "storage/usage"
#define DK_METHOD_PHOTOS_LIST "photos/list"
#define DK_METHOD_PHOTOS_ADD "photos/add"
#define DK_METHOD_PHOTOS_EXPORT "photos/export"
#define DK_METHOD_PHOTOS_DELETE "photos/delete"
#define DK_METHOD_PHOTOS_SELECT "photos/select"
#define DK_METHOD_PHOTOS_SELECTION "photos/selection"
#define DK_METHOD_PHOTOS_VERIFY "photos/verify"
#define DK_METHOD_PHOTOS_RECOVER "photos/recover"
#define DK_METHOD_ASSETS_PUBLISH "assets/publish"
#define DK_METHOD_ASSETS_LIST "assets/list"
#define DK_METHOD_ASSETS_CLEAR "assets/clear"
#define DK_METHOD_HOST_RECOVER "host/recover"
#define DK_METHOD_HOST_PREWARM "host/prewarm"
#define DK_METHOD_HOST_SESSIONS "host/sessions"
#define DK_METHOD_HOST_EMPTY_TRASH "host/emptyTrash"
#define DK_METHOD_HOST_DIAGNOSE "host/diagnose"

// The notifications of the server.
#define DK_NOTIFICATION_SESSION_EVENT "session/event"
#define DK_NOTIFICATION_CONTENT_CHANGED "content/changed"
#define DK_NOTIFICATION_CONTENT_ENDED "content/ended"

/// The positions of the kinds of errors in DK_NAMES_ERROR_DATA_KIND, from 1.
enum dk_error_kind {
  DK_ERROR_STATE_DIRECTORY = 1,
  DK_ERROR_BUNDLE = 2,
  DK_ERROR_NOT_INSTALLED = 3,
  DK_ERROR_INSTALLATION = 4,
  DK_ERROR_CONTENT_PENDING = 5,
  DK_ERROR_EXTENSION_RUNNING = 6,
  DK_ERROR_POLICY = 7,
  DK_ERROR_AUDIT = 8,
  DK_ERROR_PROGRAM = 9,
  DK_ERROR_CAMERA = 10,
  DK_ERROR_MICROPHONE = 11,
  DK_ERROR_FOREGROUND_OCCUPIED = 12,
  DK_ERROR_INSUFFICIENT_SPACE = 13,
  DK_ERROR_STORE = 14,
  DK_ERROR_ARGUMENT = 15,
  DK_ERROR_CANCELLED = 16,
  DK_ERROR_CLOSED = 17,
  DK_ERROR_SYSTEM = 18,
  DK_ERROR_NOT_FOUND = 19,
  DK_ERROR_BUSY = 20,
  DK_ERROR_REFUSED = 21,
  DK_ERROR_VIEWFINDER = 22,
};

// The values of the enumerations, as lists for dk_json_choice(), and their numbers.
#define DK_NAMES_DIAGNOSTIC_SEVERITY {"error", "warning", NULL}
#define DK_COUNT_DIAGNOSTIC_SEVERITY 2
#define DK_NAMES_RESOURCE {"camera", "microphone", "photos", "photosAddOnly", NULL}
#define DK_COUNT_RESOURCE 4
#define DK_NAMES_DECISION_DECISION {"ask", "authorized", "denied", "assets", "devices", NULL}
#define DK_COUNT_DECISION_DECISION 5
#define DK_NAMES_LAUNCH_OPTIONS_PLACE {"lockScreen", "elsewhere", "program", NULL}
#define DK_COUNT_LAUNCH_OPTIONS_PLACE 3
#define DK_NAMES_SANDBOX_LAYERS_STATE {"enforced", "degraded", "missing", "learning", NULL}
#define DK_COUNT_SANDBOX_LAYERS_STATE 4
#define DK_NAMES_OUTCOME_KIND {"completed", "signaled", "violated", "timedOut", "watchdog", "protocolViolation", \
  "dismissed", "hostFailure", NULL}
#define DK_COUNT_OUTCOME_KIND 8
#define DK_NAMES_OUTCOME_BY {"user", "extension", "applicationOpened", "lockChanged", "idle", "powerKey", \
  "hostStopped", "hostDied", NULL}
#define DK_COUNT_OUTCOME_BY 8
#define DK_NAMES_EVENT_KIND {"started", "presented", "acceptsPresses", "refused", "notice", "dismissing", \
  "openingApplication", "ended", NULL}
#define DK_COUNT_EVENT_KIND 8
#define DK_NAMES_PATH_ACCESS_USE {"read", "write", "execute", NULL}
#define DK_COUNT_PATH_ACCESS_USE 3
#define DK_NAMES_DIFFERENCE_EFFECT {"weaker", "stricter", "changed", NULL}
#define DK_COUNT_DIFFERENCE_EFFECT 3
#define DK_NAMES_RECOVERED_FINDING {"live", "migrated", "neverStarted", "erased", "damaged", "failed", NULL}
#define DK_COUNT_RECOVERED_FINDING 6
#define DK_NAMES_CONTROL_REFUSAL {"beforeFirstUnlock", "forbidden", "notInstalled", "cameraRestricted", \
  "cameraUsageDescriptionMissing", "cameraNotPermitted", "cameraNotSelected", "cameraPromptRequired", \
  "permissionsUnreadable", "cameraMissing", "foregroundOccupied", "insufficientSpace", "cannotOpen", \
  "notAuthenticated", NULL}
#define DK_COUNT_CONTROL_REFUSAL 14
#define DK_NAMES_CONTROL_PRESS_EFFECT {"session", "applicationOpened", NULL}
#define DK_COUNT_CONTROL_PRESS_EFFECT 2
#define DK_NAMES_CONTROL_PRESS_REASON {"control", "permission", NULL}
#define DK_COUNT_CONTROL_PRESS_REASON 2
#define DK_NAMES_READINESS_CHECK_CONDITION {"installed", "unlockedOnce", "allowedByAdministrator", "permitted", \
  "cameraPresent", "foregroundFree", "spaceAvailable", "appOpenable", NULL}
#define DK_COUNT_READINESS_CHECK_CONDITION 8
#define DK_NAMES_LOG_OUTCOME {"completed", "signaled", "violated", "timedOut", "watchdog", "protocolViolation", \
  "dismissed", "hostFailure", NULL}
#define DK_COUNT_LOG_OUTCOME 8
#define DK_NAMES_LOG_ENTRY_KIND {"ended", "recovered", "repaired", NULL}
#define DK_COUNT_LOG_ENTRY_KIND 3
#define DK_NAMES_LOG_VERIFICATION_HEAD_COMPARISON {"found", "truncated", "replaced", NULL}
#define DK_COUNT_LOG_VERIFICATION_HEAD_COMPARISON 3
#define DK_NAMES_DEVICE_USE_RESOURCE {"camera", "microphone", NULL}
#define DK_COUNT_DEVICE_USE_RESOURCE 2
#define DK_NAMES_MACHINE_REPORT_STATUS {"full", "degraded", "unavailable", NULL}
#define DK_COUNT_MACHINE_REPORT_STATUS 3
#define DK_NAMES_MACHINE_PROPERTY_STATE {"present", "advice", "missing", NULL}
#define DK_COUNT_MACHINE_PROPERTY_STATE 3
#define DK_NAMES_POLICY_TRIAL_STATUS {"full", "degraded", "unavailable", NULL}
#define DK_COUNT_POLICY_TRIAL_STATUS 3
#define DK_NAMES_LAYER_REPORT_STATE {"enforced", "degraded", "missing", "learning", NULL}
#define DK_COUNT_LAYER_REPORT_STATE 4
#define DK_NAMES_LOCK_REPORTS_STATE {"locked", "unlocked", NULL}
#define DK_COUNT_LOCK_REPORTS_STATE 2
#define DK_NAMES_LOCK_REPORT_STATE {"locked", "unlocked", NULL}
#define DK_COUNT_LOCK_REPORT_STATE 2
#define DK_NAMES_AUTHENTICATION_RESULT {"succeeded", "failed", "cancelled", "timedOut", "tooManyAttempts", \
  "unavailable", NULL}
#define DK_COUNT_AUTHENTICATION_RESULT 6
#define DK_NAMES_ERROR_DATA_KIND {"stateDirectory", "bundle", "notInstalled", "installation", "contentPending", \
  "extensionRunning", "policy", "audit", "program", "camera", "microphone", "foregroundOccupied", "insufficientSpace", \
  "store", "argument", "cancelled", "closed", "system", "notFound", "busy", "refused", "viewfinder", NULL}
#define DK_COUNT_ERROR_DATA_KIND 22
#define DK_NAMES_APPS_UNINSTALL_PENDING_CONTENT {"keep", "discard", NULL}
#define DK_COUNT_APPS_UNINSTALL_PENDING_CONTENT 2
#define DK_NAMES_SESSION_PRESS_BUTTON {"primary", "secondary", NULL}
#define DK_COUNT_SESSION_PRESS_BUTTON 2
#define DK_NAMES_SESSION_PRESS_PHASE {"tap", "began", "ended", "cancelled", NULL}
#define DK_COUNT_SESSION_PRESS_PHASE 4
#define DK_NAMES_SESSION_POINTER_PHASE {"tap", "began", "moved", "ended", "cancelled", NULL}
#define DK_COUNT_SESSION_POINTER_PHASE 5
#define DK_NAMES_VIEWFINDER_IMAGE_FORMAT {"png", "jpeg", NULL}
#define DK_COUNT_VIEWFINDER_IMAGE_FORMAT 2
#define DK_NAMES_VIEWFINDER_IMAGE_RESULT_FORMAT {"png", "jpeg", NULL}
#define DK_COUNT_VIEWFINDER_IMAGE_RESULT_FORMAT 2
#define DK_NAMES_LOCK_GET_RESULT_STATE {"locked", "unlocked", NULL}
#define DK_COUNT_LOCK_GET_RESULT_STATE 2
#define DK_NAMES_LOCK_SET_STATE {"locked", "unlocked", NULL}
#define DK_COUNT_LOCK_SET_STATE 2
#define DK_NAMES_POLICY_ACCESS_USE {"read", "write", "execute", NULL}
#define DK_COUNT_POLICY_ACCESS_USE 3
#define DK_NAMES_LOG_DEVICE_USES_RESOURCE {"camera", "microphone", NULL}
#define DK_COUNT_LOG_DEVICE_USES_RESOURCE 2

#endif
