// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import Testing

@Suite struct CallTextTests {
  @Test(
    arguments: [
      ("socket(AF_VSOCK, SOCK_STREAM, 0)", [40, 1, 0]),
      ("socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_AUDIT)", [16, 0x80003, 9]),
      ("socket(AF_INET, SOCK_STREAM|SOCK_NONBLOCK, IPPROTO_TCP)", [2, 0x801, 6]),
      ("socket(AF_INET|0x100000000, SOCK_STREAM, 0)", [0x1_0000_0002, 1, 0]),
      ("openat(AT_FDCWD, 0x1000, O_WRONLY|O_CREAT|O_CLOEXEC, 0644)", [0xFFFF_FF9C, 0x1000, 0x80041, 0o644]),
      ("openat(-100, NULL, O_RDONLY, 0)", [0xFFFF_FFFF_FFFF_FF9C, 0, 0, 0]),
      ("openat(3, NULL, O_RDWR|O_TMPFILE, 0)", [3, 0, 0x410002, 0]),
      ("mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0)", [0, 4096, 0, 0x22, UInt64.max, 0]),
      ("clone(SIGCHLD|CLONE_NEWUSER, NULL, NULL, NULL, NULL)", [0x1000_0011, 0, 0, 0, 0]),
      ("unshare(CLONE_NEWNS|CLONE_NEWNET)", [0x4002_0000]),
      ("fcntl(1, F_SETFL, O_RDONLY|O_APPEND)", [1, 4, 0x400]), ("fcntl(1, F_GETFL, 5)", [1, 3, 5]),
      ("mknod(NULL, S_IFIFO|0600, 0)", [0, 0o10600, 0]), ("chmod(NULL, 04755)", [0, 0o4755]),
      ("prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0)", [22, 2, 0, 0, 0]),
      ("ioctl(0, TIOCSTI, NULL)", [0, 0x5412, 0]), ("ioctl(0, 0xdeadbeef, NULL)", [0, 0xDEAD_BEEF, 0]),
      ("getpid()", [0]), ("getpid(0, 0, 7)", [0, 0, 7]), ("kill(-1, SIGKILL)", [UInt64.max, 9]),
      ("futex(NULL, FUTEX_WAKE|FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0)", [0, 129, 1, 0, 0, 0]),
    ] as [(String, [UInt64])]
  )
  func `a call survives a round trip through its text`(text: String, arguments: [UInt64]) throws {
    let call = String(text.prefix { $0 != "(" })
    let six = arguments + Array(repeating: 0, count: 6 - arguments.count)
    #expect(CallText.render(call, six, on: .x86) == text)
    let parsed = try CallText.parse(text, on: .x86)
    #expect(parsed.name == call && parsed.number == CallTable.of(.x86).number(of: call))
    #expect(parsed.arguments + Array(repeating: 0, count: 6 - parsed.arguments.count) == six)
  }

  @Test func `parses call names, numbers and omitted arguments`() throws {
    #expect(try CallText.parse("socket", on: .x86).number == 41)
    #expect(try CallText.parse(" 41 ", on: .x86).name == "socket")
    #expect(try CallText.parse("0x29", on: .x86).name == "socket")
    #expect(try CallText.parse("-1", on: .x86).number == .max)
    #expect(try CallText.parse("400", on: .x86).name == nil)
    #expect(try CallText.parse("0", on: .x32).number == 0x4000_0000)
    #expect(try CallText.parse("400(1, _, 3)", on: .x86).arguments == [1, nil, 3])
    #expect(try CallText.parse("socket()", on: .x86).arguments.isEmpty)
    let text = "socket(_, SOCK_STREAM, _)"
    #expect(CallText.render("socket", try CallText.parse(text, on: .x86).arguments, on: .x86) == text)
  }

  @Test func `a leading architecture name overrides the default`() throws {
    let call = try CallText.parse("aarch64 openat(AT_FDCWD, _, O_DIRECTORY)", on: .x86)
    #expect(call.architecture == .arm64 && call.number == 56 && call.arguments.last == 0x4000)
  }

  @Test func `constants follow the architecture, and unknown values stay numbers`() {
    let directory = { CallText.renderArgument("open", 1, 0x4000, on: $0) }
    #expect(directory(.x86) == "O_RDONLY|O_DIRECT" && directory(.arm) == "O_RDONLY|O_DIRECTORY")
    #expect(CallText.renderArgument("ioctl", 1, 0x5412, on: .x86) == "TIOCSTI")
    #expect(CallText.renderArgument("ioctl", 1, 0x5412, on: .power) == "21522")
    #expect(CallText.renderArgument("mmap", 3, 0x40, on: .arm64) == "64")
    #expect(CallText.render("clone", [0, 0x11], on: .s390) == "clone(NULL, SIGCHLD)")
  }

  @Test(arguments: [
    ("sockte(1)", "unknown system call 'sockte'; did you mean 'socket'?"),
    ("socketcall(1)", "x86_64 has no call 'socketcall'; the call exists on i386, ppc64, s390x"),
    (
      "socket(AF_INTE, 1, 0)",
      "column 8: the parameter domain of socket cannot be 'AF_INTE'; did you mean 'AF_INET'?"
    ),
    (
      "socket(SOCK_STREAM)",
      "column 8: the parameter domain of socket cannot be 'SOCK_STREAM'; use a number"
    ),
    ("socket(1", "column 9: expected ',' or ')', found the end"),
    ("socket(1,)", "column 10: expected an argument: a number, constants, or _ for any value, found ')'"),
    ("socket(1) x", "column 11: expected the end, found 'x'"),
    ("", "column 1: expected the name or number of a system call, found the end"),
    ("getpid(1,2,3,4,5,6,7)", "column 20: getpid has more than six arguments"),
    ("4294967296", "'4294967296' is not a call number, which has at most 32 bits"),
    (
      "read(09)",
      "column 6: '09' is not a number of at most 64 bits; write a number such as 41, -1, 0x29 or 0644"
    ),
  ])
  func `a parse error has its position and a fix`(text: String, sentence: String) {
    let error = #expect(throws: CallTextError.self) { try CallText.parse(text, on: .x86) }
    #expect(error?.description == sentence)
  }

  @Test func `random arguments survive a round trip through text`() throws {
    var generator = SystemRandomNumberGenerator()
    for name in CallTable.of(.x86).names {
      let count = CallSignature.of(name, on: .x86)?.parameters.count ?? 0
      for _ in 0..<8 {
        let arguments = (0..<count).map { _ in
          UInt64.random(in: 0...(.max), using: &generator) >> UInt64.random(in: 0..<64, using: &generator)
        }
        let text = CallText.render(name, arguments, on: .x86)
        #expect(try CallText.parse(text, on: .x86).arguments == arguments, "\(text)")
      }
    }
  }
}
