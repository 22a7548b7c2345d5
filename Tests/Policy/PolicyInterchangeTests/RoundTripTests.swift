// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import PolicyInterchange
import SandboxEnforcement
import SandboxPolicy
import Testing

/// Exports policies to another format and imports them again.
@Suite(.timeLimit(.minutes(20))) struct RoundTripTests {
  let space = CallSpace()
  static let names = ["base", "capture", "strict"]

  /// Returns the reimported policy and the export.
  private func roundTrip(_ policy: ResolvedPolicy, _ format: InterchangeFormat) throws -> (
    ResolvedPolicy, PolicyExport
  ) {
    let filter = try SeccompCompiler.compile(policy).instructions
    let export = try PolicyExport(policy, as: format, filter: filter, merging: .fixture)
    let foreign = try ForeignProfile(export.contents, as: format, merging: .fixture)
    let imported = try PolicyImport(foreign, name: "back", description: "")
    let document = try PolicyParser.parse(imported.document.bytes(.indented), source: "back.json")
    return (try PolicyLibrary().resolve(document), export)
  }

  @Test(arguments: names) func `the profile of a policy matches its compiled filter`(name: String) throws {
    let policy = try shipped(name)
    let program = try FilterProgram(bytes: SeccompCompiler.compile(policy).instructions)
    #expect(try CallProfile(policy).behavior(in: space) == space.behavior(of: program))
  }

  @Test(arguments: names, [InterchangeFormat.oci, .bpf, .minijail])
  func `an exported and imported policy allows exactly the same calls`(
    name: String,
    format: InterchangeFormat
  ) throws {
    let policy = try shipped(name)
    let (result, export) = try roundTrip(policy, format)
    let original = try CallProfile(policy).behavior(in: space)
    let again = try CallProfile(result).behavior(in: space)
    #expect(try AllowanceComparison(original: original, under: .unknown, result: again).losses() == [])
    #expect(original == again)
    #expect(result.execute == policy.execute)
    // libminijail limits the program length, so some lines compare upper halves that the kernel does not
    // read.
    let stricter = export.losses.filter { $0.consequence == .stricter }
    #expect(stricter.allSatisfy { if case .upperHalf = $0.kind { format == .minijail } else { false } })
  }

  @Test(arguments: names)
  func `a systemd drop-in allows no less than the policy, and every surplus is reported`(
    name: String
  ) throws {
    let policy = try shipped(name)
    let filter = try SeccompCompiler.compile(policy).instructions
    let export = try PolicyExport(policy, as: .systemd, filter: filter, merging: .fixture)
    // systemd compares all 64 bits of some arguments of which the kernel reads 32.
    let stricter = export.losses.filter { $0.consequence == .stricter }
    #expect(stricter.allSatisfy { if case .upperHalf = $0.kind { true } else { false } }, "\(stricter)")
    let weaker = Set(export.losses.filter { $0.consequence == .weaker }.map(\.location))
    #expect(weaker.isSuperset(of: ["ioctl", "prctl", "fcntl"]))
    #expect(weaker.isDisjoint(with: ["read", "socket", "mount"]))
    // The reimported policy keeps the core and allows nothing beyond the drop-in except the start of the
    // program.
    let (again, _) = try roundTrip(policy, .systemd)
    let dropIn = try ForeignProfile(export.contents, as: .systemd, merging: .fixture).behavior(in: space)
    let result = try CallProfile(again).behavior(in: space)
    let losses = try AllowanceComparison(original: dropIn, under: .unknown, result: result).losses()
    #expect(Set(losses.filter { $0.consequence == .weaker }.map(\.location)).isSubset(of: ["execveat"]))
  }
}
