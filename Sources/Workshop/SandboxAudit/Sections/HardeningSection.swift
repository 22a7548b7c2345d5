// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The hardening of an extension's program.
package struct ProgramHardening: Sendable, Hashable {
  /// The file that was read: the program, or the interpreter of a script.
  var path: String
  /// Whether the program is a script, so that its interpreter was read.
  var isScript: Bool
  /// The hardening, or `nil` if the file cannot be read or is not a 64-bit ELF program.
  var hardening: ELFHardening?

  /// The largest program that is read, in bytes.
  private static let limit = 1 << 28

  /// Reads a program, or the interpreter of a script.
  package static func of(_ program: String) -> ProgramHardening {
    guard let bytes = (try? FileSystem.contents(program, limit: limit)) ?? nil else {
      return ProgramHardening(path: program, isScript: false, hardening: nil)
    }
    guard bytes.starts(with: Array("#!".utf8)) else {
      return ProgramHardening(path: program, isScript: false, hardening: ELFHardening(bytes))
    }
    let line = bytes.dropFirst(2).prefix(255).prefix { $0 != UInt8(ascii: "\n") }
    let interpreter = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.first ?? []
    let path = String(decoding: interpreter, as: UTF8.self)
    let found = path.hasPrefix("/") ? (try? FileSystem.contents(path, limit: limit)) ?? nil : nil
    return ProgramHardening(path: path, isScript: true, hardening: found.flatMap(ELFHardening.init))
  }
}

extension AuditEvidence {
  /// The section about the hardening of the program.
  var hardeningSection: AuditSection {
    let found = subject.program
    let answers = found.hardening?.properties ?? []
    let rows = answers.map { property in
      [AuditCell(property.name), AuditCell(property.answer.rawValue, property.answer.mark)]
    }
    var blocks: [AuditBlock] = []
    if found.isScript {
      blocks.append(
        .text("The program is a script. This section describes its interpreter, \(found.path).")
      )
    }
    if found.hardening == nil {
      blocks.append(.notice(.warning, "\(found.path) cannot be read, or is not a 64-bit ELF program."))
    } else {
      blocks += [
        .text(
          "The headers and symbols of the file show its protections against exploits. A stripped static program does "
            + "not show whether its C code was compiled with checks."
        ),
        .table(.init(caption: "Hardening of \(found.path)", columns: ["Property", "State"], rows: rows)),
      ]
    }
    return AuditSection(
      id: "hardening",
      title: "Hardening of the program",
      blocks: blocks,
      data: .object(
        [.init("file", .string(found.path)), .init("script", .bool(found.isScript))]
          + (found.hardening.map { [.init("static", .bool($0.isStatic))] } ?? [])
          + answers.map { .init($0.name, .string($0.answer.rawValue)) }
      )
    )
  }
}

extension ELFHardening.Answer {
  /// The meaning of the answer for the auditor.
  fileprivate var mark: AuditMark {
    switch self {
    case .yes: .good
    case .no: .warning
    case .unknown: .note
    }
  }
}
