// SPDX-License-Identifier: Apache-2.0

package import DarkroomHost
package import JSONText
package import LinuxPrimitives

/// The result of a successful operation.
package struct OperationResult: Sendable {
  /// The result as the description of the interface names it.
  package var value: JSONValue
  /// Descriptors for the client.
  package var descriptors: [HeldDescriptor] = []
  /// Starts the notifications that follow the result, or `nil` if none follow. The caller calls it once, after
  /// it has sent the result.
  package var begin: (@Sendable () -> Void)?

  /// Creates a result.
  package init(
    _ value: JSONValue,
    descriptors: [HeldDescriptor] = [],
    begin: (@Sendable () -> Void)? = nil
  ) {
    (self.value, self.descriptors, self.begin) = (value, descriptors, begin)
  }

  /// The result of an operation that returns nothing.
  static let none = OperationResult(.object([JSONValue.Member]()))
}

/// The reason why an operation failed, as an error of JSON-RPC.
package struct OperationError: Error, Sendable, Equatable {
  /// The code: one of JSON-RPC, or -32000 for a failed operation.
  package var code: Int64
  /// The message for the user, with its fix.
  package var message: String
  /// The details as the schema `ErrorData` describes them, or `nil` if there are none.
  package var data: JSONValue?

  /// The code of a failed operation.
  package static let failed: Int64 = -32000

  /// Creates an error.
  package init(_ code: Int64, _ message: String, _ data: JSONValue? = nil) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  /// An unknown method.
  static func unknownMethod(_ name: String) -> OperationError {
    OperationError(-32601, "the method '\(name)' is unknown; 'rpc.discover' returns the methods")
  }

  /// A parameter that does not match its schema.
  static func parameters(_ fault: SchemaChecker.Fault) -> OperationError {
    OperationError(-32602, "\(fault.path) \(fault.reason)", ["path": .string(fault.path)])
  }

  /// A session or subscription that the server does not have.
  static func notFound(_ message: String) -> OperationError {
    OperationError(failed, message, ["kind": "notFound"])
  }

  /// A limit that is reached.
  static func busy(_ message: String) -> OperationError {
    OperationError(failed, message, ["kind": "busy"])
  }

  /// Creates an error from that of the host.
  package init(_ error: HostError) {
    let failure = error.failure
    var id: String?
    var diagnostics: JSONValue?
    var refusal: ControlRefusal?
    switch error {
    case .notInstalled(let name, _): id = name
    case .foregroundOccupied(let session, _, _): id = session
    case .refused(let reason, _): refusal = reason
    case .bundle(let found, _): diagnostics = .array(found.map(\.json))
    default: break
    }
    self.init(
      Self.failed,
      error.description,
      .object([
        "kind": .string(error.kind), "step": failure?.step.map(JSONValue.string),
        "errno": (failure?.errno).map { .integer(Int64($0)) }, "path": failure?.path.map(JSONValue.string),
        "diagnostics": diagnostics, "id": id.map(JSONValue.string),
        "refusal": refusal.map { .string($0.rawValue) },
      ])
    )
  }
}

extension HostError {
  /// The name of the case.
  fileprivate var kind: String {
    switch self {
    case .stateDirectory: "stateDirectory"
    case .bundle: "bundle"
    case .notInstalled: "notInstalled"
    case .installation: "installation"
    case .contentPending: "contentPending"
    case .extensionRunning: "extensionRunning"
    case .policy: "policy"
    case .audit: "audit"
    case .program: "program"
    case .camera: "camera"
    case .microphone: "microphone"
    case .foregroundOccupied: "foregroundOccupied"
    case .insufficientSpace: "insufficientSpace"
    case .refused: "refused"
    case .viewfinder: "viewfinder"
    case .store: "store"
    case .argument: "argument"
    case .cancelled: "cancelled"
    case .closed: "closed"
    case .system: "system"
    }
  }
}
