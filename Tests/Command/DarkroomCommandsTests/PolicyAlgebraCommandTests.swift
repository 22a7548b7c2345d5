// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct PolicyAlgebraCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Writes a policy that extends strict and returns its path.
  private func policy(_ name: String, _ members: String) throws -> String {
    try fixture.write(
      "\(name).json",
      #"{"name":"\#(name)","description":"A.","extends":"strict",\#(members)}"#
    )
    return "\(fixture.directory)/\(name).json"
  }

  @Test func `a policy is a subset of another only if it allows nothing more`() throws {
    let wide = try policy("wide", #""syscalls":{"allow":["flock"]},"readOnly":["/usr/share/fonts"]"#)
    let inside = try fixture.run("policy", "subset", "strict", wide)
    #expect(
      inside.code == 0 && inside.output.contains("is a subset"),
      "\(inside.output)\(inside.errorOutput)"
    )
    let outside = try fixture.run("policy", "subset", wide, "strict")
    #expect(outside.code == 1)
    #expect(outside.output.contains("flock(") && outside.output.contains("readOnly /usr/share/fonts"))
    let json = try fixture.run("policy", "subset", wide, "strict", "--json").json
    #expect(json["subset"] == .bool(false) && json["call"]?.string?.contains("flock") == true)
    #expect(json["sandbox"]?.elements?.count == 1)
    #expect(try fixture.run("policy", "subset", "strict", "strict", "--json").json["call"] == .null)
    #expect(try fixture.run("policy", "subset", "strict", "nothing.json").code == 66)
  }

  @Test func `each policy lies between the intersection and the union`() throws {
    let first = try policy("first", #""syscalls":{"allow":["flock","symlink"]},"readOnly":["/usr/share"]"#)
    let second = try policy("second", #""syscalls":{"allow":["flock","sync"]},"limits":{"processes":5}"#)
    for (operation, name) in [("intersection", "both"), ("union", "either")] {
      let made = try fixture.run("policy", "combine", operation, first, second, "--name", name)
      #expect(made.code == 0, "\(made.errorOutput)")
      try fixture.write("\(name).json", made.output)
      #expect(try made.json["name"]?.string == name)
      #expect(try made.json["description"]?.string == "The \(operation) of first and second.")
    }
    let (both, either) = ("\(fixture.directory)/both.json", "\(fixture.directory)/either.json")
    for policy in [first, second] {
      #expect(try fixture.run("policy", "subset", both, policy).code == 0)
      #expect(try fixture.run("policy", "subset", policy, either).code == 0)
    }
    #expect(try fixture.run("policy", "subset", either, first).code == 1)
    #expect(try fixture.run("policy", "subset", first, both).code == 1)
    #expect(try fixture.run("policy", "combine", "union", first).code == 64)
  }

  @Test func `rejects a union that no policy can express`() throws {
    let first = try policy("first", #""bestEffort":["landlock"]"#)
    let second = try policy("second", #""bestEffort":["userNamespace"]"#)
    let result = try fixture.run("policy", "combine", "union", first, second)
    #expect(
      result.code == 65 && result.errorOutput.contains("no policy can express the union"),
      "\(result.errorOutput)"
    )
    #expect(try fixture.run("policy", "combine", "intersection", first, second).code == 0)
  }
}
