// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import Testing

/// Reads seccomp profiles in JSON.
@Suite struct OCIProfileTests {
  let space = CallSpace()

  private func read(_ text: String, _ context: OCIContext = .standard) throws -> OCIProfile {
    try OCIProfile(bytes: Array(text.utf8), context: context)
  }

  /// Returns a profile with one entry that refuses all other calls.
  private func entry(_ text: String, _ context: OCIContext = .standard) throws -> OCIProfile {
    try read(#"{"defaultAction":"SCMP_ACT_ERRNO","syscalls":[\#(text)]}"#, context)
  }

  @Test func `comparisons of one argument are alternatives and reported`() throws {
    let text = """
      {"names":["ioctl"],"action":"SCMP_ACT_ALLOW","args":[{"index":1,"value":1,"op":"SCMP_CMP_EQ"},
      {"index":1,"value":2,"op":"SCMP_CMP_EQ"},{"index":0,"value":3,"op":"SCMP_CMP_EQ"}]}
      """
    let profile = try entry(text)
    let behavior = try profile.profile.behavior(in: space)
    #expect(behavior.verdict(for: try call("ioctl", 0, 2)) == .allow)
    #expect(behavior.verdict(for: try call("ioctl", 3, 9)) == .allow)
    #expect(behavior.verdict(for: try call("ioctl", 0, 3)) == .errno(1))
    #expect(profile.losses.map(\.kind) == [.repeatedArgument(1)])
    #expect(profile.losses[0].location == "syscalls[0]")
  }

  @Test func `evaluates conditions on capabilities, kernels and architectures and reports assumptions`()
    throws
  {
    let text = #"{"names":["bpf"],"action":"SCMP_ACT_ALLOW","includes":{"caps":["CAP_BPF"]}}"#
    let without = try entry(text)
    #expect(without.profile.rules.isEmpty)
    #expect(without.losses.map(\.kind) == [.condition("with CAP_BPF", isAssumed: false)])
    let with = try entry(text, OCIContext(capabilities: ["CAP_BPF"]))
    #expect(with.profile.rules.count == 1)
    #expect(with.losses.map(\.kind) == [.condition("with CAP_BPF", isAssumed: true)])
    let excluded = #"{"names":["bpf"],"action":"SCMP_ACT_ALLOW","excludes":{"arches":["amd64","arm64"]}}"#
    #expect(try entry(excluded).profile.rules.isEmpty)
    let newer = #"{"names":["bpf"],"action":"SCMP_ACT_ALLOW","includes":{"minKernel":"4.8"}}"#
    #expect(try entry(newer, OCIContext(kernel: [4, 7])).profile.rules.isEmpty)
    #expect(try entry(newer, OCIContext(kernel: [4, 10])).profile.rules.count == 1)
  }

  @Test func `accepts the full range of 64-bit numbers`() throws {
    let text = """
      {"names":["mmap"],"action":"SCMP_ACT_ALLOW","args":[{"index":0,
      "value":18446744073709551359 , "op":"SCMP_CMP_EQ"},{"index":1,"value":18446744073709551615,"op":"SCMP_CMP_EQ"}]}
      """
    let rule = try #require(try entry(text).profile.rules.first)
    #expect(rule.conditions.map(\.value) == [0xFFFF_FFFF_FFFF_FEFF, .max])
    for wrong in ["18446744073709551616", "-1", "1.5"] {
      let text =
        #"{"names":["read"],"action":"SCMP_ACT_ALLOW","args":[{"index":0,"op":"SCMP_CMP_EQ","value":\#(wrong)}]}"#
      #expect(throws: InterchangeError.self) { try entry(text) }
    }
  }

  @Test func `reports unknown members and unknown call names`() throws {
    let profile = try read(
      """
      {"defaultAction":"SCMP_ACT_ERRNO","listenerPath":"/run/agent","flags":["SECCOMP_FILTER_FLAG_LOG"],
       "syscalls":[{"names":["read","raed"],"action":"SCMP_ACT_ALLOW","priority":3}]}
      """
    )
    #expect(
      profile.losses.map(\.kind) == [
        .unknownMember("listenerPath"), .unknownMember("SECCOMP_FILTER_FLAG_LOG"), .unknownMember("priority"),
        .unknownNames(["raed"]),
      ]
    )
  }

  @Test(arguments: [
    ("{", "1:2: not valid JSON"), ("{}", "\"defaultAction\" is missing"),
    (#"{"defaultAction":"ALLOW"}"#, "1:18: \"ALLOW\" is not a valid action"),
    (#"{"defaultAction":"SCMP_ACT_KILL","syscalls":[{"names":[],"action":"SCMP_ACT_ALLOW"}]}"#, "\"names\""),
    (#"{"defaultAction":"SCMP_ACT_KILL","syscalls":[{"names":["read"]}]}"#, "\"action\" is missing"),
    (
      #"{"defaultAction":"SCMP_ACT_KILL","syscalls":[{"names":["read"],"action":"SCMP_ACT_ALLOW","args":[{"index":6}]}]}"#,
      "argument 6 does not exist"
    ),
    (
      #"{"defaultAction":"SCMP_ACT_KILL","architectures":["SCMP_ARCH_X86"],"archMap":[{}]}"#,
      "exclude each other"
    ),
    (#"{"defaultAction":"SCMP_ACT_ERRNO","defaultErrnoRet":-1}"#, "defaultErrnoRet"),
  ])
  func `an error in an OCI profile has its position and a fix`(text: String, part: String) {
    do {
      _ = try read(text)
      Issue.record("was read: \(text)")
    } catch { #expect("\(error)".contains(part), "\(error)") }
  }

  @Test func `the default profile of Docker has its documented behavior`() throws {
    let docker = PeerDefaults.docker.profile
    let behavior = try docker.behavior(in: space)
    #expect(behavior.verdict(for: try call("read")) == .allow)
    #expect(behavior.verdict(for: try call("mount")) == .errno(1))
    #expect(behavior.verdict(for: try call("clone3")) == .errno(38))
    #expect(behavior.verdict(for: try call("clone", 0x1000_0000)) == .errno(1))
    #expect(behavior.verdict(for: try call("clone", 0x11)) == .allow)
    #expect(behavior.verdict(for: try call("personality", 0xFFFF_FFFF)) == .allow)
    #expect(behavior.verdict(for: try call("personality", 1)) == .errno(1))
    // Docker 20.10 allowed io_uring and AF_VSOCK sockets.
    for name in ["io_uring_setup", "io_uring_enter", "io_uring_register"] {
      #expect(behavior.verdict(for: try call(name)) == .errno(1))
    }
    #expect(behavior.verdict(for: try call("socket", 40)) == .errno(1))
    #expect(behavior.verdict(for: try call("socket", 2)) == .allow)
    // Docker's default capabilities include CAP_SYS_CHROOT.
    #expect(behavior.verdict(for: try call("chroot")) == .allow)
  }

  @Test func `each peer has a version and a source`() throws {
    for peer in PeerDefaults.all {
      #expect(peer.version.wholeMatch(of: /[0-9]+(\.[0-9]+)*/) != nil, "\(peer.name) \(peer.version)")
      #expect(!peer.source.isEmpty)
    }
    #expect(PeerDefaults.docker.source.contains("moby/profiles"))
  }

  @Test func `the default profile of Podman keeps its two error codes`() throws {
    let behavior = try podman().profile.behavior(in: space)
    #expect(behavior.verdict(for: try call("bpf")) == .errno(1))
    #expect(behavior.verdict(for: try call("io_uring_setup")) == .errno(38))
    #expect(behavior.verdict(for: try call("socket", 16, 3, 9)) == .allow)
  }
}
