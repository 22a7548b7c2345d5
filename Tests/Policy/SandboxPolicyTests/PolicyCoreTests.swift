// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import SystemCalls
import Testing

@Suite struct PolicyCoreTests {
  @Test(arguments: PolicyCore.area.keys.sorted())
  func `rejects every rule for a core call, with or without arguments`(call: String) {
    #expect(SystemCallTable.allNames.contains(call))
    for entry in [#""\#(call)""#, #"{"call":"\#(call)","arguments":[{"index":0,"equals":0}]}"#] {
      let found = PolicyParserTests.errorDescriptions(#"{"name":"a","syscalls":{"allow":[\#(entry)]}}"#)
      #expect(found.count == 1)
      #expect(found.first?.contains("can never be allowed") == true)
    }
  }

  @Test(arguments: [
    #""clone""#, #""ioctl""#, #""seccomp""#, #""personality""#,
    #"{"call":"clone","arguments":[{"index":1,"mask":"0x7e020080","equals":0}]}"#,
    #"{"call":"clone","arguments":[{"index":0,"mask":"0x7e020000","equals":0}]}"#,
    #"{"call":"clone","arguments":[{"index":0,"mask":"0x7e020080","equals":"CLONE_NEWUSER"}]}"#,
    #"{"call":"clone","arguments":[{"index":0,"equals":"CLONE_NEWNET|CLONE_THREAD"}]}"#,
    #"{"call":"seccomp","arguments":[{"index":1,"equals":"SECCOMP_FILTER_FLAG_NEW_LISTENER"}]}"#,
    #"{"call":"personality","arguments":[{"index":0,"equals":"0x40000"}]}"#,
    #""prlimit64""#, #"{"call":"prlimit64","arguments":[{"index":0,"equals":1}]}"#,
    #""sched_setaffinity""#, #"{"call":"sched_setattr","arguments":[{"index":0,"equals":1}]}"#,
    #""setpriority""#, #"{"call":"setpriority","arguments":[{"index":0,"equals":0}]}"#,
    #"{"call":"setpriority","arguments":[{"index":0,"equals":2},{"index":1,"equals":0}]}"#,
    #"{"call":"ioprio_set","arguments":[{"index":0,"equals":3},{"index":1,"equals":0}]}"#,
    #""socketpair""#, #"{"call":"socketpair","arguments":[{"index":0,"equals":"AF_INET"}]}"#,
    #"{"call":"socketpair","arguments":[{"index":1,"equals":1}]}"#,
    #"{"call":"socketpair","arguments":[{"index":0,"equals":"AF_UNIX"}]}"#,
    #"{"call":"socketpair","arguments":[{"index":0,"equals":"AF_UNIX"},{"index":1,"equals":"SOCK_DGRAM"}]}"#,
    #"{"call":"socketpair","arguments":[{"index":0,"equals":"AF_UNIX"},{"index":1,"mask":1,"equals":1}]}"#,
    #""sendmsg""#, #"{"call":"recvmsg","arguments":[{"index":2,"equals":"MSG_OOB"}]}"#,
    #"{"call":"sendto","arguments":[{"index":3,"mask":"MSG_OOB","equals":0}]}"#,
    #""getsockopt""#, #"{"call":"setsockopt","arguments":[{"index":1,"equals":"SOL_SOCKET"}]}"#,
    #"{"call":"setsockopt","arguments":[{"index":1,"equals":"SOL_SOCKET"},{"index":2,"equals":26}]}"#,
    #"{"call":"ioctl","arguments":[{"index":1,"equals":"TIOCSTI"}]}"#,
    #"{"call":"ioctl","arguments":[{"index":1,"mask":"0xff00","equals":"0x5400"}]}"#,
    #"{"call":"ioctl","arguments":[{"index":0,"equals":"TCGETS"}]}"#,
  ])
  func `rejects a rule for a partly dangerous call that does not exclude the dangerous arguments`(
    entry: String
  ) {
    let found = PolicyParserTests.errorDescriptions(#"{"name":"a","syscalls":{"allow":[\#(entry)]}}"#)
    #expect(found.count == 1)
    #expect(found.first?.contains("can be allowed only with certain arguments") == true, "\(found)")
    #expect(found.first?.contains("; add an argument rule with \"index\": ") == true, "\(found)")
  }

  @Test(arguments: [
    #"{"call":"clone","arguments":[{"index":0,"mask":"0x7e020080","equals":0}]}"#,
    #"{"call":"clone","arguments":[{"index":0,"equals":"CLONE_THREAD"}]}"#,
    #"{"call":"seccomp","arguments":[{"index":1,"mask":"0x8","equals":0}]}"#,
    #"{"call":"personality","arguments":[{"index":0,"equals":"0xffffffff"}]}"#,
    #"{"call":"prlimit64","arguments":[{"index":0,"equals":0}]}"#,
    #"{"call":"sched_setaffinity","arguments":[{"index":0,"equals":0}]}"#,
    #"{"call":"setpriority","arguments":[{"index":0,"equals":0},{"index":1,"equals":0}]}"#,
    #"{"call":"ioprio_set","arguments":[{"index":0,"equals":1},{"index":1,"equals":0}]}"#,
    #"{"call":"socketpair","arguments":[{"index":0,"equals":"AF_UNIX"},{"index":1,"mask":"0xf","equals":5}]}"#,
    #"{"call":"socketpair","arguments":[{"index":0,"equals":"AF_UNIX"},{"index":1,"equals":"0x80001"}]}"#,
    #"{"call":"sendto","arguments":[{"index":3,"equals":0},{"index":5,"equals":0}]}"#,
    #"{"call":"recvmsg","arguments":[{"index":2,"mask":"MSG_OOB","equals":0}]}"#, #""shutdown""#,
    #"{"call":"setsockopt","arguments":[{"index":1,"equals":1},{"index":2,"equals":"SO_PASSCRED"}]}"#,
    #"{"call":"ioctl","arguments":[{"index":1,"equals":"TCGETS"}]}"#,
  ])
  func `accepts a rule that excludes the dangerous arguments`(entry: String) {
    #expect(PolicyParserTests.errorDescriptions(#"{"name":"a","syscalls":{"allow":[\#(entry)]}}"#) == [])
  }

  @Test(arguments: CallGroup.members.keys.sorted())
  func `a group contributes no call of the core`(group: String) {
    do {
      let document = try PolicyParser.parse(
        #"{"name":"a","syscalls":{"allow":["\#(group)"]}}"#,
        source: "p"
      )
      #expect(!document.allow.isEmpty)
      let isClean = document.allow.allSatisfy {
        PolicyCore.violation(of: $0) == nil && !ExecutePermission.calls.contains($0.call)
      }
      #expect(isClean)
    } catch {
      #expect(error.all.map(\.mistake) == [.coreGroup(group)])
    }
  }

  @Test func `rejects groups that contain only core calls`() {
    for group in ["@mount", "@clock", "@module", "@swap", "@reboot", "@keyring", "@debug", "@raw-io"] {
      let found = PolicyParserTests.errorDescriptions(#"{"name":"a","syscalls":{"allow":["\#(group)"]}}"#)
      #expect(found.first?.contains("no call of \"\(group)\" can be allowed") == true, "\(group) \(found)")
    }
  }

  @Test func `the flags and requests of the core match the named constants`() throws {
    let flags = ["NS", "CGROUP", "UTS", "IPC", "USER", "PID", "NET", "TIME"]
    let values = try flags.map { try #require(ConstantTable.narrowValue(of: "CLONE_NEW\($0)")) }
    #expect(values.reduce(0, |) == PolicyCore.namespaceFlags)
    let requests = [
      "TIOCSTI", "TIOCLINUX", "TIOCCONS", "TIOCSETD", "TIOCSCTTY", "FIFREEZE", "FITHAW", "FS_IOC_SETFLAGS",
    ]
    #expect(
      Set(try requests.map { try #require(ConstantTable.narrowValue(of: $0)) })
        == PolicyCore.dangerousRequests
    )
  }
}
