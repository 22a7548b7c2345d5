// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SandboxLaunch

/// The environment of an extension: made from nothing, so that nothing of the host's is in it.
enum SessionEnvironment {
  /// `PATH`, where the user sets no other.
  static let searchPath = "/usr/local/bin:/usr/bin:/bin"

  private static let prefixes = ["DARKROOM_", "LISTEN_", "LD_", "SWIFT_", "XDG_"]
  private static let names: Set = ["HOME", "TMPDIR", "USER", "LOGNAME"]

  /// Whether the host alone sets this variable.
  static func isReserved(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// All variables. `assets` is where the app's shared files are, if there are any; `descriptors` are the names of the descriptors from 3 on.
  static func variables(
    session: String,
    paths: InsidePaths = .ownRoot,
    assets: String? = nil,
    descriptors: [InheritedDescriptor],
    wanted: [LaunchPlan.EnvironmentVariable]
  ) throws(PlanError) -> [LaunchPlan.EnvironmentVariable] {
    var variables = paths == .ownRoot ? ownRoot : standard(paths)
    variables[sessionPlace].value = session
    if let assets { variables.append(.init("DARKROOM_ASSETS_DIR", assets)) }
    if !descriptors.isEmpty {
      variables += [
        .init(DescriptorVariable.count.rawValue, "\(descriptors.count)"),
        // The extension is the first process after the session's init, and so has this number.
        .init(DescriptorVariable.processID.rawValue, "2"),
        .init(
          DescriptorVariable.names.rawValue,
          descriptors.map(\.rawValue).joined(separator: ":")
        ),
      ]
    }
    for variable in wanted {
      if isReserved(variable.name) { throw .reservedVariable(variable.name) }
      variables.removeAll { $0.name == variable.name }
      variables.append(variable)
    }
    return variables
  }

  /// What is the same in all sessions that have a root of their own.
  private static let ownRoot = standard(.ownRoot)
  /// The variable that has the session's id.
  private static let sessionName = "DARKROOM_SESSION_ID"
  /// Where it is in ``standard(_:)``.
  private static let sessionPlace = ownRoot.firstIndex { $0.name == sessionName } ?? 0

  private static func standard(_ paths: InsidePaths) -> [LaunchPlan.EnvironmentVariable] {
    [
      .init("PATH", searchPath),
      .init("LANG", "C.UTF-8"),
      .init("USER", "extension"),
      .init("LOGNAME", "extension"),
      .init("HOME", "\(paths.container)/home"),
      .init("TMPDIR", "\(paths.container)/tmp"),
      .init("XDG_CACHE_HOME", "\(paths.container)/cache"),
      .init("XDG_CONFIG_HOME", "\(paths.container)/config"),
      .init("XDG_DATA_HOME", "\(paths.container)/data"),
      .init("XDG_STATE_HOME", "\(paths.container)/state"),
      .init("XDG_RUNTIME_DIR", "\(paths.container)/run"),
      .init(sessionName, ""),
      .init("DARKROOM_SESSION_DIR", paths.session),
      .init("DARKROOM_CONTAINER_DIR", paths.container),
      .init("DARKROOM_APP_CONTEXT", paths.context),
      // A crash must not start a second program; and a fully static Swift program looks for its runtime without it.
      // Named, the program that would be started for a crash is not looked for at each launch.
      .init("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/dev/null"),
      .init("SWIFT_ROOT", "/"),
    ]
  }
}
