// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// What the process is in which the code runs; for sources that an app and its extension share.
public enum ExecutionRole: Sendable, Hashable {
  /// An app, or any other program.
  case app
  /// A capture extension that a host has started.
  case captureExtension

  /// The role of this process: an extension is one that was passed the pipe to a host.
  public static let current: ExecutionRole =
    isPassed(
      names: CurrentProcess.environment(DescriptorVariable.names.rawValue),
      processID: CurrentProcess.environment(DescriptorVariable.processID.rawValue),
      own: CurrentProcess.processID
    ) ? .captureExtension : .app

  /// Whether an environment says that its process has the pipe to a host; a child of an extension inherits the
  /// variables, but they name its parent.
  package static func isPassed(names: String?, processID: String?, own: Int32) -> Bool {
    guard let names, let processID, Int32(processID) == own else { return false }
    return names.split(separator: ":").contains { $0 == InheritedDescriptor.hostIn.rawValue }
  }
}
