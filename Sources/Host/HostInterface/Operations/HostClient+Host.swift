// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostClient {
  /// Performs an operation on the host as a whole.
  func performOnHost(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    if method == .hostDiagnose { return try await diagnose(parameters) }
    do throws(HostError) {
      switch method {
      case .hostRecover: return OperationResult(try await operations.host.recover().json)
      case .hostPrewarm:
        let options = LaunchOptions(parameters.object("options"))
        try await operations.host.prewarm(parameters.text("extension"), options)
        return .none
      case .hostSessions:
        let sessions = try await operations.host.activeSessions()
        return OperationResult(["sessions": .array(sessions.map(\.json))])
      case .hostEmptyTrash:
        let deleted = try await operations.host.storage.emptyTrash()
        return OperationResult(["deleted": .integer(Int64(deleted))])
      case .rpcDiscover: return OperationResult(InterfaceDescription.current.document)
      default: break
      }
    } catch { throw OperationError(error) }
    return OperationResult(try operations.greeting(parameters["versions"]?.elements ?? []))
  }

  /// Performs an operation on policies.
  func performOnPolicy(
    _ method: InterfaceMethod,
    _ parameters: OperationParameters
  ) async throws(OperationError) -> OperationResult {
    do throws(HostError) {
      switch method {
      case .policyList:
        return OperationResult(["policies": .array(CapturePolicy.shippedNames.map(JSONValue.string))])
      case .policyExplain:
        let policy = try await policy(parameters.text("policy"), "policy")
        let width = Int(parameters["width"]?.integer ?? 100)
        return OperationResult([
          "name": .string(policy.name), "digest": .string(policy.digest),
          "lines": .array(policy.explain(width: width).map(JSONValue.string)),
        ])
      case .policyAccess:
        let policy = try await policy(parameters.text("policy"), "policy")
        let use = PathAccess.Use(rawValue: parameters["use"]?.string ?? "") ?? .read
        let access = try await operations.host.access(to: parameters.text("path"), for: use, under: policy)
        return OperationResult(access.json)
      case .policyVerify:
        let verdicts = try await policy(parameters.text("policy"), "policy").verify()
        return OperationResult([
          "verdicts": .array(verdicts.map(\.json)), "proved": .bool(verdicts.allSatisfy(\.isProved)),
        ])
      default:
        let old = try await policy(parameters.text("old"), "old")
        let new = try await policy(parameters.text("new"), "new")
        return OperationResult(try await old.difference(to: new).json)
      }
    } catch { throw OperationError(error) }
  }

  /// Returns the policy that the text of a parameter names. The server has another current directory than its
  /// clients, so a relative path would be ambiguous.
  func policy(_ text: String, _ name: String) async throws(HostError) -> CapturePolicy {
    guard text.hasPrefix("/") || !text.contains("/") else {
      throw HostError(argument: "params.\(name) must be the name of a shipped policy or an absolute path")
    }
    return try await HostThread.run { () throws(HostError) in try CapturePolicy(text) }
  }
}
