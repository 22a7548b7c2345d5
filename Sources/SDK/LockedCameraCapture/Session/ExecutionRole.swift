// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The role of the process in which the code runs, for sources that an app and its extension share.
public enum ExecutionRole: Sendable, Hashable {
  /// An app, or any other program.
  case app
  /// A capture extension that a host has started.
  case captureExtension

  /// The role of this process: a capture extension if it inherited the pipe to a host, otherwise an app.
  public static let current: ExecutionRole =
    hasHostDescriptor(
      names: CurrentProcess.environment(DescriptorVariable.names.rawValue),
      processID: CurrentProcess.environment(DescriptorVariable.processID.rawValue),
      own: CurrentProcess.processID
    ) ? .captureExtension : .app

  /// Returns whether the environment assigns the pipe to a host to the process `own`.
  ///
  /// A child of an extension inherits the variables, but `LISTEN_PID` contains the process ID of its parent.
  package static func hasHostDescriptor(names: String?, processID: String?, own: Int32) -> Bool {
    guard let names, let processID, Int32(processID) == own else { return false }
    return names.split(separator: ":").contains { $0 == InheritedDescriptor.hostIn.rawValue }
  }
}
