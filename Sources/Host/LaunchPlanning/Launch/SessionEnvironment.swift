// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SandboxLaunch

/// The environment of an extension. It is built from scratch and contains no variable of the host.
enum SessionEnvironment {
  /// The default `PATH`.
  static let searchPath = "/usr/local/bin:/usr/bin:/bin"

  private static let prefixes = ["DARKROOM_", "LISTEN_", "LD_", "SWIFT_", "XDG_"]
  private static let names: Set = ["HOME", "TMPDIR", "USER", "LOGNAME"]

  /// Returns whether only the host may set a variable.
  static func isReserved(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// Returns all variables of a session.
  ///
  /// - Parameters:
  ///   - session: The ID of the session.
  ///   - paths: The paths in the sandbox.
  ///   - assets: The path of the shared assets, or `nil` without shared assets.
  ///   - descriptors: The names of the descriptors from 3 on.
  ///   - wanted: The variables that the extension requests or the user sets.
  /// - Returns: The variables, without duplicate names.
  /// - Throws: An error if a wanted variable is reserved.
  static func variables(
    session: String,
    paths: SandboxPaths = .ownRoot,
    assets: String? = nil,
    descriptors: [InheritedDescriptor],
    wanted: [LaunchPlan.EnvironmentVariable]
  ) throws(PlanError) -> [LaunchPlan.EnvironmentVariable] {
    var variables = paths == .ownRoot ? ownRoot : standard(paths)
    variables[sessionIDIndex].value = session
    if let assets { variables.append(.init("DARKROOM_ASSETS_DIR", assets)) }
    if !descriptors.isEmpty {
      variables += [
        .init(DescriptorVariable.count.rawValue, "\(descriptors.count)"),
        // The extension is the first process after the session's init, so its PID is 2.
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

  /// The variables that are equal in all sessions with their own root.
  private static let ownRoot = standard(.ownRoot)
  /// The variable with the session ID.
  private static let sessionIDName = "DARKROOM_SESSION_ID"
  /// The index of this variable in ``standard(_:)``.
  private static let sessionIDIndex = ownRoot.firstIndex { $0.name == sessionIDName } ?? 0

  private static func standard(_ paths: SandboxPaths) -> [LaunchPlan.EnvironmentVariable] {
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
      .init(sessionIDName, ""),
      .init("DARKROOM_SESSION_DIR", paths.session),
      .init("DARKROOM_CONTAINER_DIR", paths.container),
      .init("DARKROOM_APP_CONTEXT", paths.context),
      // A crash must not start the backtrace program, and a fully static Swift program must not search for
      // its runtime. The path is set, because Swift would search for the backtrace program at every launch.
      .init("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/dev/null"),
      .init("SWIFT_ROOT", "/"),
    ]
  }
}
