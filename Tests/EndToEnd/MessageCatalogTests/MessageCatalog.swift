// SPDX-License-Identifier: Apache-2.0

/// The messages of all types that produce messages for users, in the order of the floors.
enum MessageCatalog {
  /// The types of each floor, from the bottom to the top.
  static var types: [any MessageSamples.Type] {
    SystemMessages.types + ProtocolMessages.types + PolicyMessages.types + PolicyToolMessages.types
      + SandboxMessages.types + StoreMessages.types + BundleMessages.types + DeviceMessages.types
      + SDKMessages.types + AppleMessages.types
      + LaunchMessages.types + SessionMessages.types + ServiceMessages.types + WorkshopMessages.types
      + AuditMessages.types
      + CommandMessages.types
  }

  /// The errors that have no message of their own, by their qualified names, with the reasons.
  static let exceptions: [String: String] = [
    "AppBundles.BundleCopy.Failure": "becomes a CatalogError",
    "AppBundles.ExtensionFiles.Refusal": "contains a ManifestFault",
    "AppBundles.InstallationDamageError": "contains an InstallationDamage",
    "DarkroomCommands.CommandFailure": "contains the message of another error, or one of the last section",
    "ExtensionProtocol.PropertyListValue.Failure": "becomes a UserActivityError of the SDK",
    "HostBus.BusFailure": "becomes an error reply to a D-Bus client",
    "HostInterface.InterfaceRequest.Fault": "contains an OperationError",
    "HostInterface.OperationError": "becomes an error response to a program",
    "HostService.ServiceRefusal": "its messages are private to the command that prints them",
    "LockedCameraCapture.CallFailure": "contains an ErrorObject or an ExtensionFailure",
    "LockedCameraCapture.RequestFailure": "becomes a public error",
    "Microphones.SoundDeviceError": "contains a MicrophoneFault, or restarts the device",
    "PolicyInterchange.RuleMerger.Failure": "becomes an InterchangeError",
    "SandboxEnforcement.HelperConfinement.Failure": "contains a SeccompError or a SystemCallError",
    "SandboxEnforcement.LibseccompRules.Failure": "becomes an InterchangeError or a SeccompError",
    "SessionSimulation.OutcomePattern.ParseError": "becomes a ScriptError",
    "SessionStore.LogReadingError": "contains a LogFault or a StoreError",
    "Viewfinders.SessionViewfinderError": "its messages are in the last section",
    "Viewfinders.WindowViewfinderError": "its messages are in the last section",
    "darkroom-window.WaylandError": "belongs to a program, which tests cannot import",
  ]

  /// Returns the name of a type with its module, such as `AppBundles.CatalogError`.
  static func name(_ type: Any.Type) -> String { String(reflecting: type) }

  /// Returns the lines of the catalog: a heading for each module, and a line for each sample.
  static func lines(_ failures: [WrittenFailure]) -> [String] {
    var lines = ["Messages of Darkroom, with sample values. Created by MessageCatalogTests."]
    var module = ""
    for type in types {
      let parts = name(type).split(separator: ".")
      if let first = parts.first, first != module {
        module = String(first)
        lines += ["", "== \(module)"]
      }
      lines += samples(type).map { "\(parts.dropFirst().joined(separator: "."))\($0)" }
    }
    lines += ["", "== Failures of commands, as written in the source"]
    return lines + failures.map { "\($0.file): \($0.text)" }
  }

  /// Returns the samples of a type as `.case: message`, or `: message` without a case.
  private static func samples<Type: MessageSamples>(_ type: Type.Type) -> [String] {
    type.catalogSamples.map { name, sample in
      let text = sample.catalogText.split(separator: "\n", omittingEmptySubsequences: false).joined(
        separator: "\\n"
      )
      return "\(name.isEmpty ? "" : ".")\(name): \(text)"
    }
  }

  /// Returns the names of the cases that have samples.
  static func caseNames<Type: MessageSamples>(_ type: Type.Type) -> Set<String> {
    Set(type.catalogSamples.map(\.0))
  }

  /// Returns whether each sample is in the `switch` of its type.
  static func isComplete<Type: CaseSamples>(_ type: Type.Type) -> Bool {
    type.catalogSamples.allSatisfy(\.1.isInCatalog)
  }
}
