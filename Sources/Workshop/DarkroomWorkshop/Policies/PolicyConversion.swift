// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import PolicyInterchange
internal import SandboxAudit
internal import SandboxEnforcement
internal import SandboxPolicy

/// A format of another program for filters.
public enum PolicyFormat: String, Sendable, Hashable, CaseIterable {
  /// A seccomp profile in JSON for Docker, Podman and containerd.
  case oci
  /// A compiled filter, for `bwrap --seccomp`.
  case bpf
  /// A policy for minijail0(1).
  case minijail
  /// A drop-in file for a systemd service.
  case systemd
  /// A shell script that runs bwrap(1).
  case bwrap
}

/// A part of a policy that a conversion changed.
public struct ConversionLoss: Sendable, Hashable {
  /// The loss as a sentence without a final period.
  public let message: String
  /// Whether the result allows other calls than the original.
  public let changesCalls: Bool

  /// Creates a loss from that of the conversion.
  init(_ loss: InterchangeLoss) { (message, changesCalls) = ("\(loss)", loss.changesCalls) }
}

/// A policy in the format of another program.
public struct ExportedPolicy: Sendable, Hashable {
  /// The contents of the file.
  public let contents: [UInt8]
  /// The parts of the policy that the file lacks or changes.
  public let losses: [ConversionLoss]

  /// Whether the file is proved to allow exactly the calls of the policy. A bwrap(1) script contains no calls: it loads the
  /// filter that ``PolicyFormat/bpf`` exports.
  public var allowsSameCalls: Bool { !losses.contains(where: \.changesCalls) }
}

/// A policy that was created from a file of another program.
public struct ImportedPolicy: Sendable {
  /// The policy.
  public let policy: CapturePolicy
  /// The parts of the file that the policy lacks or changes.
  public let losses: [ConversionLoss]

  /// Whether the policy is proved to allow exactly the calls of the file.
  public var allowsSameCalls: Bool { !losses.contains(where: \.changesCalls) }
}

extension CapturePolicy {
  /// Converts the policy to the format of another program, as `darkroom policy export` does. The file is for the
  /// architecture of this machine. It is read again, and compared with the policy for every call and argument.
  ///
  /// - Throws: `HostError.policy` if the policy cannot be compiled, converted or compared.
  public func export(as format: PolicyFormat) async throws(HostError) -> ExportedPolicy {
    let policy = resolved.policy
    return try await HostThread.run { () throws(HostError) in
      do {
        let filter = try SeccompCompiler.compile(policy).instructions
        let export = try PolicyExport(policy, as: .init(format), filter: filter, merging: .libseccomp)
        return ExportedPolicy(contents: export.contents, losses: export.losses.map { ConversionLoss($0) })
      } catch { throw HostError.policy(.init("\(policy.name): \(error)")) }
    }
  }

  /// Converts a file of another program to a policy, as `darkroom policy import` does. The policy allows the calls of this
  /// machine's architecture that the file allows, as far as a policy can express them.
  ///
  /// A policy for minijail can include other files of this machine, which are read.
  ///
  /// - Parameters:
  ///   - contents: The contents of the file.
  ///   - format: The format of the file.
  ///   - name: The name of the policy.
  ///   - filter: The compiled filter that a bwrap(1) command line loads, or `nil` if it loads none.
  ///   - supervision: The answers of other processes to calls that the file leaves to them.
  ///
  /// - Returns: The policy and the losses.
  ///
  /// - Throws: `HostError.argument` if the name or the combination of arguments is invalid, or `HostError.policy` if the file is
  ///   invalid or cannot be converted.
  public static func importing(
    _ contents: [UInt8],
    as format: PolicyFormat,
    name: String = "imported",
    filter: [UInt8]? = nil,
    under supervision: SystemCallFilter.Supervision = .init()
  ) async throws(HostError) -> ImportedPolicy {
    guard filter == nil || format == .bwrap else {
      throw HostError(argument: "only the format bwrap has a separate filter, not \(format.rawValue)")
    }
    let (format, known) = (InterchangeFormat(format), supervision.known)
    return try await HostThread.run { () throws(HostError) in
      do {
        let foreign = try ForeignProfile(contents, as: format, filter: filter)
        let result = try PolicyImport(
          foreign,
          name: name,
          description: "Imported: \(format.summary).",
          under: known
        )
        let found = try PolicyFinder.resolve(result.document.bytes(.indented), source: "\(name).json")
        return ImportedPolicy(policy: CapturePolicy(found), losses: result.losses.map { ConversionLoss($0) })
      } catch PolicyImport.Failure.document(let mistakes) {
        let reasons = mistakes.all.map(\.mistake.reason).joined(separator: ", ")
        throw HostError(argument: "the name '\(name)' is invalid: \(reasons)")
      } catch { throw HostError.policy(.init("\(error)")) }
    }
  }
}

extension InterchangeFormat {
  /// Creates the format of a file.
  fileprivate init(_ format: PolicyFormat) {
    self =
      switch format {
      case .oci: .oci
      case .bpf: .bpf
      case .minijail: .minijail
      case .systemd: .systemd
      case .bwrap: .bwrap
      }
  }
}
