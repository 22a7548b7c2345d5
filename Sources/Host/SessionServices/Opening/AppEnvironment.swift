// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// The environment of an app that is opened: what a desktop program needs of the person's, and what Darkroom adds.
package enum AppEnvironment {
  /// The variables that are handed on, where they are set. Everything else stays behind: what the host was started with
  /// is the host's business, and no library path or debugging switch of it reaches the app.
  package static let handedOn =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"]
    + ["ALL", "COLLATE", "CTYPE", "MESSAGES", "MONETARY", "NUMERIC", "TIME"].map { "LC_\($0)" }
    + [
      "RUNTIME_DIR", "CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "CONFIG_DIRS", "DATA_DIRS",
      "CURRENT_DESKTOP", "SESSION_DESKTOP", "SESSION_ID", "SESSION_TYPE", "SEAT", "VTNR", "ACTIVATION_TOKEN",
    ].map { "XDG_\($0)" }
    + ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"]
    // It only takes away, so that an app cannot be rid of it by being opened.
    + [AdministrationFiles.variable]

  /// Where programs are looked for if nobody says.
  package static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  /// All variables, as `NAME=VALUE`.
  package static func variables(
    _ app: AppStore,
    reason: AppDeliveryReason,
    environment: (String) -> String?
  ) -> [String] {
    var variables = handedOn.compactMap { name in environment(name).map { "\(name)=\($0)" } }
    if environment("PATH") == nil { variables.append("PATH=\(standardPath)") }
    return variables + [
      "DARKROOM_ROOT=\(app.root.path)", "DARKROOM_APP_ID=\(app.id)",
      "DARKROOM_APP_CONTAINER=\(app.containerDirectory)", "DARKROOM_LAUNCH_REASON=\(reason.rawValue)",
    ]
  }
}
