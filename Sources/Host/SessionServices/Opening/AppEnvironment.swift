// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// The environment of an opened app: the desktop variables of the user and the variables of Darkroom.
package enum AppEnvironment {
  /// The variables that an app inherits if they are set. Other variables are dropped, so that no library path
  /// or debugging option of the host reaches the app.
  package static let inheritedNames =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"]
    + ["ALL", "COLLATE", "CTYPE", "MESSAGES", "MONETARY", "NUMERIC", "TIME"].map { "LC_\($0)" }
    + [
      "RUNTIME_DIR", "CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "CONFIG_DIRS", "DATA_DIRS",
      "CURRENT_DESKTOP", "SESSION_DESKTOP", "SESSION_ID", "SESSION_TYPE", "SEAT", "VTNR", "ACTIVATION_TOKEN",
    ].map { "XDG_\($0)" }
    + ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"]
    // Inherited because the variable can only restrict, and opening an app must not lift the restriction.
    + [AdministrationFiles.variable]

  /// The default `PATH`.
  package static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  /// Returns all variables in the form `NAME=VALUE`.
  package static func variables(
    _ app: AppStore,
    reason: AppDeliveryReason,
    environment: (String) -> String?
  ) -> [String] {
    var variables = inheritedNames.compactMap { name in environment(name).map { "\(name)=\($0)" } }
    if environment("PATH") == nil { variables.append("PATH=\(standardPath)") }
    return variables + [
      "DARKROOM_ROOT=\(app.root.path)", "DARKROOM_APP_ID=\(app.id)",
      "DARKROOM_APP_CONTAINER=\(app.containerDirectory)", "DARKROOM_LAUNCH_REASON=\(reason.rawValue)",
    ]
  }
}
