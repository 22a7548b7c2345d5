// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// Filters that defer calls to another process, whose answer the filter does not determine.
@Suite(.timeLimit(.minutes(20))) struct SupervisionOptionTests {
  /// A filter that returns the same action for every call.
  struct ConstantFilter: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The action of the filter's one instruction.
    var action: UInt32
    /// The option that states the answer, or `nil` if the kernel makes the call.
    var option: String?

    /// The program of the filter.
    var program: [UInt8] {
      [6, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: action >> (8 * UInt32($0))) }
    }
  }

  static let constantFilters = [
    ConstantFilter(testDescription: "USER_NOTIF", action: 0x7FC0_0000, option: "--notifications"),
    ConstantFilter(testDescription: "TRACE", action: 0x7FF0_0001, option: "--traces"),
    ConstantFilter(testDescription: "LOG", action: 0x7FFC_0000, option: nil),
  ]

  @Test(arguments: constantFilters)
  func `a filter that defers to another process is proved only if the answer is stated`(
    constant: ConstantFilter
  )
    throws
  {
    let fixture = try CommandFixture()
    try fixture.write("filter.bpf", constant.program)
    let path = "\(fixture.directory)/filter.bpf"
    let unknown = try fixture.run("policy", "verify", path)
    #expect(unknown.code == 70 && unknown.output.contains("FAILED  no-network: "))
    #expect(!unknown.output.contains("Everything is proved"))
    for other in ["--notifications", "--traces"] {
      let stated = try fixture.run("policy", "verify", path, other, "refused")
      #expect(stated.code == (other == constant.option ? 0 : 70), "\(other): \(stated.output)")
    }
    guard let option = constant.option else { return }
    #expect(unknown.output.contains("\(option) refused"))
    let json = try fixture.run("policy", "verify", path, option, "refused", "--json")
    let program = try json.json.elements?.first?["programs"]?.elements?.first
    #expect(program?[String(option.dropFirst(2))] == "refused" && program?["proved"] == true)
  }

  @Test(arguments: constantFilters)
  func `a filter that defers to another process is weaker unless the answer is stated`(
    constant: ConstantFilter
  ) throws {
    let fixture = try CommandFixture()
    try fixture.write("filter.bpf", constant.program)
    let path = "\(fixture.directory)/filter.bpf"
    let unknown = try fixture.run("policy", "diff", "strict", path, "--fail-if-weaker")
    #expect(unknown.code == 1 && unknown.output.contains("NEW is weaker"))
    guard let option = constant.option else { return }
    #expect(unknown.output.contains("\(option) refused"))
    let stated = try fixture.run("policy", "diff", "strict", path, "--fail-if-weaker", option, "refused")
    #expect(stated.code == 0 && stated.output.contains("NEW allows no call that OLD does not"))
    let json = try fixture.run("policy", "diff", "strict", path, option, "refused", "--json").json
    #expect(json["weaker"] == false && json["new"]?[String(option.dropFirst(2))] == "refused")
    // The answer of Darkroom's own supervisor is known.
    #expect(json["old"]?["notifications"] == "refused")
  }

  @Test func `policy import omits and reports calls that a supervisor or tracer decides`() throws {
    let fixture = try CommandFixture()
    let profile = """
      {"defaultAction":"SCMP_ACT_ERRNO","syscalls":[
        {"names":["read"],"action":"SCMP_ACT_NOTIFY"},
        {"names":["write"],"action":"SCMP_ACT_TRACE","args":[{"index":0,"value":1,"op":"SCMP_CMP_EQ"}]},
        {"names":["close"],"action":"SCMP_ACT_LOG"}]}
      """
    try fixture.write("profile.json", profile)
    let path = "\(fixture.directory)/profile.json"
    let result = try fixture.run("policy", "import", "oci", path)
    #expect(result.code == 0)
    #expect(try result.json["syscalls"]?["allow"] == ["close"])
    let reported = result.errorOutput.split(separator: "\n").filter {
      $0.contains("a supervisor or tracer decides")
    }
    #expect(
      reported.count == 2 && reported.allSatisfy { $0.contains("read(") || $0.contains("write(") },
      "\(reported)"
    )
    let stated = try fixture.run(
      "policy",
      "import",
      "oci",
      path,
      "--notifications",
      "refused",
      "--traces",
      "refused"
    )
    #expect(
      stated.code == 0 && !stated.errorOutput.contains("a supervisor or tracer decides"),
      "\(stated.errorOutput)"
    )
  }
}
