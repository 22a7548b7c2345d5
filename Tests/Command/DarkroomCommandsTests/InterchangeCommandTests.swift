// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// `darkroom policy import` and `darkroom policy export`.
@Suite struct InterchangeCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test(arguments: ["oci", "bpf", "minijail"])
  func `export and reimport give an identical policy`(format: String) throws {
    let file = "\(fixture.directory)/exported"
    // The exact form exceeds libminijail's program limit, because the export compares upper halves. The
    // reimported policy does not compare them.
    let code: Int32 = format == "minijail" ? 69 : 0
    #expect(try fixture.run("policy", "export", format, "capture", "--output", file, "--exact").code == code)
    #expect(try fixture.run("policy", "export", format, "capture", "--output", file).code == 0)
    let back = try fixture.run("policy", "import", format, file, "--exact")
    #expect(back.code == 0, "\(back.errorOutput)")
    try fixture.write("back.json", back.output)
    let again = try fixture.run(
      "policy",
      "export",
      format,
      "\(fixture.directory)/back.json",
      "--output",
      file
    )
    #expect(again.code == 0)
    #expect(try fixture.run("policy", "import", format, file, "--exact").output == back.output)
  }

  @Test func `reports what a format cannot express and refuses it with --exact`() throws {
    let systemd = try fixture.run("policy", "export", "systemd", "base")
    #expect(systemd.code == 0)
    #expect(systemd.output.contains("SystemCallArchitectures=native"))
    #expect(systemd.errorOutput.contains("ioctl: for example ioctl("))
    let exact = try fixture.run("policy", "export", "systemd", "base", "--exact")
    #expect(exact.code == 69)
    #expect(exact.output.isEmpty)
    let json = try fixture.run("policy", "export", "systemd", "base", "--json").json
    #expect(json["losses"]?.elements?.contains { $0["consequence"] == "weaker" } == true)
    #expect(json["contents"]?.string == systemd.output)
  }

  @Test func `import --json returns the policy document and its losses`() throws {
    try fixture.write(
      "profile.json",
      #"{"defaultAction":"SCMP_ACT_ERRNO","syscalls":[{"names":["read","mount"],"action":"SCMP_ACT_ALLOW"}]}"#
    )
    let path = "\(fixture.directory)/profile.json"
    let result = try fixture.run("policy", "import", "oci", path, "--name", "mine", "--json").json
    #expect(result["policy"]?["name"] == "mine")
    #expect(result["policy"]?["syscalls"]?["allow"]?.elements == ["read"])
    #expect(result["losses"]?.elements?.contains { $0["location"] == "mount" } == true)
    #expect(try fixture.run("policy", "import", "oci", path, "--exact").code == 69)
    #expect(try fixture.run("policy", "import", "oci", path, "--name", "Not a name").code == 64)
  }

  @Test func `import and export reject missing and invalid files`() throws {
    #expect(try fixture.run("policy", "import", "oci", "\(fixture.directory)/nothing").code == 66)
    try fixture.write("wrong", "read: maybe\n")
    let wrong = try fixture.run("policy", "import", "minijail", "\(fixture.directory)/wrong")
    #expect(wrong.code == 65)
    #expect(wrong.errorOutput.contains("1:7: "))
    #expect(try fixture.run("policy", "import", "bpf", "\(fixture.directory)/wrong").code == 65)
    #expect(try fixture.run("policy", "export", "oci", "nothing").code == 66)
    #expect(try fixture.run("policy", "import", "bwrap", "\(fixture.directory)/wrong").code == 65)
    let filter = "\(fixture.directory)/wrong"
    #expect(try fixture.run("policy", "import", "oci", filter, "--filter", filter).code == 64)
  }
}
