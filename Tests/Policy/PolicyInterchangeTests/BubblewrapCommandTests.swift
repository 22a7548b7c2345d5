// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import PolicyInterchange
import PolicyProof
import SandboxEnforcement
import SandboxPolicy
import Testing

/// Imports bwrap(1) command lines as policies.
@Suite struct BubblewrapCommandTests {
  /// Returns the policy that the import of a command line creates.
  private static func imported(_ text: String, filter: [UInt8]? = nil) throws -> (
    PolicyImport, ResolvedPolicy
  ) {
    let foreign = try ForeignProfile(bubblewrap: Array(text.utf8), filter: filter)
    let result = try PolicyImport(foreign, name: "again", description: "")
    let document = try PolicyParser.parse(result.document.bytes(.indented), source: "again.json")
    return (result, try PolicyLibrary().resolve(document))
  }

  @Test(arguments: ["base", "capture"])
  func `an exported policy is imported unchanged`(name: String) throws {
    let policy = try shipped(name)
    let filter = try SeccompCompiler.compile(policy).instructions
    let script = try PolicyExport(policy, as: .bwrap, filter: filter, merging: .fixture).contents
    let (result, again) = try Self.imported(String(decoding: script, as: UTF8.self), filter: filter)
    let space = CallSpace()
    #expect(try PolicySemantics(again).behavior(in: space) == PolicySemantics(policy).behavior(in: space))
    func paths(_ policy: ResolvedPolicy) -> Set<String> {
      Set(policy.readOnly.map { "\($0.path) \($0.presence)" })
    }
    #expect(paths(again) == paths(policy))
    #expect(Set(again.devices.map(\.value)) == Set(policy.devices.map(\.value)))
    #expect(again.scratchBytes == policy.scratchBytes && again.execute == policy.execute)
    for limit in [LimitName.cpuTime, .fileSize, .processes, .descriptors, .addressSpace] {
      #expect(again.limits[limit] == policy.limits[limit], "\(limit)")
    }
    // The import reports the environment variables and loses nothing else.
    let other = result.losses.filter { !$0.location.contains("--setenv") }
    #expect(other.allSatisfy { $0.consequence != .weaker }, "\(other)")
  }

  @Test func `reports every created path except those that a session has`() throws {
    let text = """
      bwrap --dir /tmpfoo --tmpfs /device --dir /sessions/x --dir /tmp/x --tmpfs /tmp --dir /dev/shm \\
        --symlink usr/bin /bin -- program
      """
    let losses = try Self.imported(text).0.losses.map(\.description)
    for path in ["/tmpfoo", "/device", "/sessions/x"] {
      #expect(losses.contains { $0.contains("\(path) is not created") }, "\(path)")
    }
    #expect(losses.count { $0.contains("is not created") } == 3, "\(losses)")
  }

  @Test func `reports overlays with all of their values`() throws {
    let text = "bwrap --overlay-src /usr --overlay /upper /work /usr --tmp-overlay /opt -- program"
    let losses = try Self.imported(text).0.losses.map(\.description)
    #expect(losses.count { $0.contains("the root has no overlays") } == 3, "\(losses)")
    #expect(!losses.contains { $0.contains("unknown") }, "\(losses)")
  }

  @Test func `reports and omits options that a session does not have`() throws {
    let text = """
      # a comment with bwrap in it
      FOO=1 /usr/bin/bwrap --ro-bind /usr /usr --bind /opt/data /opt/data --ro-bind /home /home \\
        --ro-bind "/srv/a b" '/srv/a b' --ro-bind /etc /elsewhere --dev /dev --dev-bind /dev/dri /dev/dri \\
        --cap-add CAP_NET_ADMIN --share-net -- program --ro-bind /opt/no /opt/no
      """
    let (result, policy) = try Self.imported(text)
    #expect(policy.readOnly.map(\.path) == ["/opt/data", "/srv/a b", "/usr"])
    #expect(Set(policy.devices.map(\.value)) == GrantablePaths.devices)
    let losses = result.losses.map(\.description)
    for part in [
      "/opt/data is read-only", "/home would show", "/elsewhere", "/dev/dri", "CAP_NET_ADMIN", "no network",
    ] {
      #expect(losses.contains { $0.contains(part) }, "\(part)")
    }
    #expect(result.losses.allSatisfy { $0.consequence != .weaker })
    // A command line without a filter allows every call outside the core.
    #expect(
      policy.allows("mount", [0, 0, 0, 0, 0, 0]) == false && policy.allows("symlinkat", [0, 0, 0, 0, 0, 0])
    )
  }

  @Test(arguments: [
    ("echo hello", "a bwrap command line is missing"),
    ("bwrap --no-such-thing x", "1:7: \"--no-such-thing\""),
    ("bwrap --ro-bind /usr", "1:7: the argument of --ro-bind is missing"),
    ("bwrap --seccomp 9 -- x 9<f", "the compiled filter of line 1: --seccomp 9 (--filter) is missing"),
    ("bwrap --ro-bind '/usr /usr", "1:17: the closing ' is missing"),
    ("bwrap --size many --tmpfs /container x", "many"),
  ])
  func `rejects an invalid command line with the position`(text: String, message: String) {
    let error = #expect(throws: InterchangeError.self) {
      try ForeignProfile(bubblewrap: Array(text.utf8), filter: nil)
    }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains(message))
  }

  @Test func `rejects a filter for a command line that loads none`() {
    #expect(throws: InterchangeError.self) {
      try ForeignProfile(bubblewrap: Array("bwrap --ro-bind / / sh".utf8), filter: [])
    }
  }
}
