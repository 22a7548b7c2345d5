// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of hostile content that standard programs create in the sandbox.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostileContentTests {
  @Test(arguments: TestUser.available)
  func `delivers files with hostile names under encoded names`(user: TestUser) throws {
    let script = #"""
      set -e
      cd /session
      mkdir "$(printf 'a\nb')" "$(printf '\342\200\256gpj')"
      echo inside >"$(printf 'a\nb/\377')"
      echo dots >"$(printf '\342\200\244\342\200\244')"
      echo blank >' '
      echo slash >"$(printf '..\342\210\225..\342\210\225etc')"
      echo nothing >"$(printf 'x\342\200\213.jpg')"
      echo long >"$(printf '%0255d' 0)"
      echo too long >"$(printf '%0250d\n\n\n.jpg' 0 | head -c 255)"
      """#
    let home = try TestHome(user)
    let session = try home.exec(["sh", "-c", script])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.quarantined == [:])
    #expect(session.files.contains("a%0Ab/%FF"), "\(session.files)")
    #expect(try session.text("a%0Ab/%FF") == "inside\n")
    #expect(try session.text("%E2%80%A4%E2%80%A4") == "dots\n")
    #expect(try session.text("%20") == "blank\n")
    #expect(try session.text("%2E%2E%E2%88%95..%E2%88%95etc") == "slash\n")
    #expect(try session.text("x%E2%80%8B.jpg") == "nothing\n")
    #expect(try session.text(String(repeating: "0", count: 255)) == "long\n")
    #expect(session.files.count == 7)
    #expect(
      session.files.allSatisfy { $0.utf8.count <= 255 && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
    )
    #expect(session.renamed.count == 8)
    _ = home
  }

  @Test func `delivers content if the state root belongs to another group`() throws {
    let home = try TestHome(.regular)
    #expect(try home.darkroom("recover", []).code == 0)
    // As below a directory with the set-group-ID bit.
    if TestUser.hasRoot {
      let kept = uid_t.max
      try #require(chown("\(home.root)/sessions", kept, 12345) == 0)
    }
    let session = try home.exec(["sh", "-c", "echo captured >/session/a.txt"])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.text("a.txt") == "captured\n")
  }

  /// Attempts to create special files and attributes, and prints the result of each.
  private static let hostileProgram = #"""
    import ctypes, errno, fcntl, os, struct
    os.chdir("/session")
    open("file", "w").write("data")
    def attempt(name, body):
        try: body(); print(name, "ok")
        except OSError as error: print(name, errno.errorcode[error.errno])
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in
        [(1, 7, 0xffffffff), (2, 7, 65534), (4, 0, 0xffffffff), (16, 7, 0xffffffff), (32, 0, 0xffffffff)])
    attempt("capability", lambda: os.setxattr("file", "security.capability", bytes.fromhex("0100000200002000" + "00" * 12)))
    attempt("trusted", lambda: os.setxattr("file", "trusted.x", b"x"))
    attempt("link", lambda: os.link("file", "other"))
    attempt("symlink", lambda: os.symlink("/etc/shadow", "symlink"))
    attempt("fifo", lambda: os.mkfifo("fifo"))
    attempt("device", lambda: os.mknod("null", 0o20600, os.makedev(1, 3)))
    attempt("setuid", lambda: os.chmod("file", 0o4755))
    def flags(bits):
        with open("file") as file: fcntl.ioctl(file, 0x40086602, struct.pack("l", bits))
    attempt("immutable", lambda: flags(0x10))
    for name, value in [("user.note", b"x"), ("system.posix_acl_access", acl)]:
        try: os.setxattr("file", name, value)
        except OSError: pass
    try: flags(0x40)
    except OSError: pass
    with open("sparse", "w") as file: os.ftruncate(file.fileno(), 1 << 28)
    os.utime("file", (2**33, 2**33))
    os.makedirs("shut/inner"); open("shut/inner/file", "w").write("shut"); os.chmod("shut/inner/file", 0)
    os.chmod("shut/inner", 0); os.chmod("shut", 0)
    for _ in range(2000):
        os.mkdir("d"); os.chdir("d")
    open("bottom", "w").write("deep")
    """#

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `refuses special files and attributes, and delivers regular files with normal metadata`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let session = try home.exec(["/usr/bin/python3", "-c", Self.hostileProgram])
    #expect(session.command.code == 0, "\(session.command.errors)")
    let lines = session.command.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 8 && lines.allSatisfy { !$0.hasSuffix(" ok") }, "\(lines)")
    #expect(session.quarantined == ["d" + String(repeating: "/d", count: 64): "tooDeep"])
    #expect(session.files == ["file", "sparse", "shut/inner/file"])
    for name in ["file", "sparse", "shut", "shut/inner", "shut/inner/file"] {
      let status = try #require(try FileSystem.status("\(session.content)/\(name)"))
      #expect(status.permissions == (status.kind == .directory ? 0o700 : 0o600))
      #expect(max(status.modified, status.accessed) <= WallClock.milliseconds * 1_000_000)
      let open = try FileSystem.open("\(session.content)/\(name)", .read)
      #expect(try open.attributeNames().filter { $0 != "security.selinux" } == [])
      #expect(try open.flags().isDisjoint(with: .foreign))
    }
    _ = home
  }

  @Test(arguments: TestUser.available)
  func `reports quarantined content with the reason and a command that shows it`(user: TestUser) throws {
    let script = #"""
      n=$(printf %0200d 0)
      cd /session
      for i in $(seq 20); do mkdir $n; cd -P $n; done
      echo deep >$n
      """#
    let home = try TestHome(user)
    let session = try home.exec(["sh", "-c", script])
    #expect(session.command.code == 0 && session.files == [], "\(session.command.errors)")
    #expect(session.quarantined.map(\.value) == ["pathTooLong"])
    let lines = session.command.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(session.command.errors)")
    #expect(lines.first?.hasPrefix("darkroom: quarantined: 000") == true)
    #expect(
      lines.first?.contains(
        " (4019 bytes): its path, together with the path of the app's container, is longer than 4095 bytes"
      ) == true
    )
    let named = try #require(lines.last?.split(separator: "'").dropFirst().first)
    // The fix is a command that can be pasted.
    let arguments = named.split(separator: " ").dropFirst().map(String.init)
    let shown = try home.darkroom(arguments[0], Array(arguments.dropFirst()))
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(
      shown.text.contains(
        "its path, together with the path of the app's container, is longer than 4095 bytes"
      )
    )
  }
}
