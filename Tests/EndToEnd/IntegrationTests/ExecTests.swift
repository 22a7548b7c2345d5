// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of unmodified programs under `darkroom exec`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ExecTests {
  @Test(arguments: TestUser.available)
  func `passes exit codes and signals through`(user: TestUser) throws {
    let home = try TestHome(user)
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -ABRT $$", 134)]
      as [(String, Int32)]
    {
      #expect(try home.exec(["sh", "-c", script]).command.code == code)
    }
  }

  @Test(arguments: TestUser.available)
  func `a program without the protocol sees an empty photo library and cannot write to it`(user: TestUser)
    throws
  {
    let script = """
      ls -A /library
      for d in /library /; do
        touch "$d/file" 2>/dev/null && echo "a file in $d"
        mkdir "$d/made" 2>/dev/null && echo "a directory in $d"
      done
      echo done
      """
    let session = try TestHome(user).exec(["sh", "-c", script])
    #expect(session.command.text == "done\n")
  }

  @Test(arguments: TestUser.available)
  func `passes standard input, output and error through unchanged`(user: TestUser) throws {
    let home = try TestHome(user)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try FileSystem.replaceContents(home.file("bytes"), with: bytes, mode: 0o644)
    let session = try home.exec(
      ["sh", "-c", "tee /session/copy; echo problem >&2"],
      input: home.file("bytes")
    )
    #expect(session.command.output == bytes)
    #expect(session.command.errors == "problem\n")
    #expect(try session.bytes("copy") == bytes)
  }

  @Test(arguments: TestUser.available)
  func `replaces closed standard streams with dev null, and refuses a directory as one`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let arguments = [
      home.programs.darkroom, "exec", "--root", home.root, "--app", TestHome.app, "--", "sh", "-c",
    ]
    let script =
      "for n in 0 1 2; do f=$(readlink /proc/$$/fd/$n); echo \"$f\" >>/session/streams; done; ! cd /proc/self/fd/0/"
    for (number, redirection) in ["<&-", ">&-", "2>&-"].enumerated() {
      let command = try home.start(["sh", "-c", "exec \"$@\" \(redirection)", "sh"] + arguments + [script])
        .end()
      #expect(command.code == 0, "\(redirection): \(command.errors)")
      let content = "\(home.root)/apps/\(TestHome.app)/container/SessionContent"
      let sessions = try FileSystem.names(in: content)
      let session = try #require(sessions.first, "\(redirection): \(command.errors)")
      let streams = try FileSystem.contents("\(content)/\(session)/streams") ?? []
      let lines = String(decoding: streams, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 3 && lines.dropFirst(number).first == "/dev/null", "\(redirection): \(lines)")
      _ = try home.darkroom("content", ["invalidate", TestHome.app, session])
    }
    let refused = try home.start(["sh", "-c", "exec \"$@\" </etc", "sh"] + arguments + ["cat"]).end()
    #expect(
      refused.code == 126 && refused.errors.contains("standard input is a directory"),
      "\(refused.errors)"
    )
  }

  @Test(arguments: TestUser.available)
  func `runs shell pipelines, redirections and substitutions`(user: TestUser) throws {
    let script = """
      set -o pipefail
      seq 1 1000 | grep 7 | sort -rn | head -3 | tr '\\n' ' '
      cat <(echo substituted) - <<<here
      mkdir -p /session/a/b && (cd /session/a && echo x >b/c && tar cf - b) | tar tf - | wc -l
      dd if=/dev/zero of=/session/zeros bs=64k count=16 status=none && stat -c %s /session/zeros
      sleep 0.01 & wait $! && find /session -type f | sort | xargs -n1 basename | tr '\\n' ' '
      """
    let session = try TestHome(user).exec(["bash", "-c", script])
    #expect(
      session.command.text == "997 987 979 substituted\nhere\n2\n1048576\nc zeros ",
      "\(session.command.errors)"
    )
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `Python can use threads, child processes and SQLite, but no sockets`(user: TestUser) throws {
    let home = try TestHome(user)
    let script = """
      import concurrent.futures as f, multiprocessing as m, socket, sqlite3, subprocess, tempfile
      with f.ThreadPoolExecutor(8) as pool: print(sum(pool.map(lambda n: n * n, range(100))))
      print(subprocess.run(["tr", "a-z", "A-Z"], input=b"child", stdout=subprocess.PIPE).stdout.decode())
      base = sqlite3.connect("/container/base.db")
      base.execute("create table t (n)"); base.executemany("insert into t values (?)", [(n,) for n in range(10)])
      base.commit(); print(base.execute("select sum(n) from t").fetchone()[0])
      with tempfile.NamedTemporaryFile() as file: print(file.name.startswith("/container/tmp/"))
      for family in range(46):
          for kind in (1, 2, 3, 5):
              try: socket.socket(family, kind); print("opened", family, kind)
              except PermissionError: pass
      open("/session/result", "w").write("done")
      """
    let session = try home.exec(["/usr/bin/python3", "-c", script])
    #expect(session.command.text == "328350\nCHILD\n45\nTrue\n", "\(session.command.errors)")
    #expect(session.files == ["result"])
  }

  @Test(arguments: TestUser.available)
  func `records the reason for each permission`(user: TestUser) throws {
    let home = try TestHome(user)
    let granted = try home.exec(["true"], options: ["--camera", "pattern:64x48@30"])
    #expect(granted.record["permissions"]?["camera"] == ["status": "authorized", "reason": "commandLine"])
    #expect(granted.record["permissions"]?["photos"] == ["status": "notDetermined", "reason": "undecided"])
    try #require(try home.darkroom("permission", ["set", TestHome.app, "camera", "denied"]).code == 0)
    let denied = try home.exec(["true"], options: ["--camera", "pattern:64x48@30"])
    #expect(denied.record["permissions"]?["camera"] == ["status": "denied", "reason": "user"])
    let names = denied.record["permissions"]?.members?.map(\.name)
    #expect(names == ["camera", "microphone", "photosAddOnly", "photos"])
  }

  @Test(arguments: TestUser.available)
  func `gives a program no camera frames if the camera is denied`(user: TestUser) throws {
    let home = try TestHome(user)
    let (arguments, options) = (
      ["sh", "-c", "head -c 1000 >/session/frames"], ["--camera", "pattern:64x48@30"]
    )
    /// Returns the number of bytes that the program received.
    func bytes(_ session: TestHome.Session) -> Int64? {
      session.record["files"]?.elements?.first?["size"]?.integer
    }
    #expect(bytes(try home.exec(arguments, options: options)) == 1000)
    try #require(try home.darkroom("permission", ["set", TestHome.app, "camera", "denied"]).code == 0)
    let denied = try home.exec(arguments, options: options)
    #expect(bytes(denied) == 0 && denied.command.errors.contains("may not use the camera (denied)"))
  }

  @Test(.enabled(if: TestPrograms.has("ffmpeg", "ffprobe")), arguments: TestUser.available)
  func `ffmpeg records camera frames from standard input`(user: TestUser) throws {
    let arguments = ["ffmpeg", "-v", "error", "-i", "-", "-frames:v", "12", "/session/clip.mkv"]
    let session = try TestHome(user).exec(arguments, options: ["--camera", "pattern:320x240@30"])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["clip.mkv"])
    #expect((session.record["frames"]?["produced"]?.integer ?? 0) >= 12)
  }

  @Test(.enabled(if: TestPrograms.has("identify")), arguments: TestUser.available)
  func `ImageMagick writes and reads pictures`(user: TestUser) throws {
    let home = try TestHome(user)
    let arguments = [
      "/usr/bin/convert", "-size", "64x48", "gradient:red-blue", "-rotate", "90", "/session/a.png",
    ]
    let session = try home.exec(arguments)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["a.png"])
    let read = try home.exec(["identify", "-format", "%m %wx%h", "jpeg:-"], input: home.programs.picture)
    #expect(read.command.text.hasPrefix("JPEG "), "\(read.command.errors)")
  }

  @Test(arguments: TestUser.available)
  func `--env and --read-only pass variables and directories, and reject reserved ones`(user: TestUser) throws
  {
    // Sessions have their own /tmp, and a session cannot be shown the state root in the test home.
    let elsewhere = TestUser.hasRoot ? "/opt" : CurrentProcess.environment("HOME") ?? "/"
    let home = try TestHome(user, below: elsewhere)
    let shown = try TestHome(user, below: elsewhere)
    try runShell("chmod 0755 '\(shown.directory)'")
    try shown.write("shown.txt", "shown\n")
    let script =
      "echo \"$COLOUR\"; cat \(shown.directory)/shown.txt; echo x >\(shown.directory)/new 2>/dev/null || echo read-only"
    let options = ["--env", "COLOUR=deep blue=sea", "--read-only", shown.directory]
    let session = try home.exec(["sh", "-c", script], options: options)
    #expect(session.command.text == "deep blue=sea\nshown\nread-only\n", "\(session.command.errors)")
    for reserved in ["DARKROOM_X=1", "LD_PRELOAD=/x", "HOME=/x"] {
      let result = try home.darkroom("exec", ["--app", TestHome.app, "--env", reserved, "--", "true"])
      #expect(result.code != 0 && result.errors.contains(reserved.prefix { $0 != "=" }), "\(result.errors)")
    }
    let state = try home.darkroom("exec", ["--app", TestHome.app, "--read-only", home.root, "--", "true"])
    #expect(
      state.code != 0 && state.errors.contains("the state root with the containers of all apps"),
      "\(state.errors)"
    )
    let own = try home.darkroom("exec", ["--app", TestHome.app, "--read-only", "/tmp", "--", "true"])
    #expect(own.code != 0 && own.errors.contains("/tmp cannot be shown"), "\(own.errors)")
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `runs a program outside the shown directories without showing its directory`(user: TestUser) throws {
    let home = try TestHome(user)
    let script = try home.write(
      "own",
      "#!/bin/sh\necho \"$0 says $1\"; ls \(home.directory) 2>/dev/null || echo alone\n",
      mode: 0o755
    )
    let session = try home.exec([script, "hello"])
    #expect(
      session.command.text.hasSuffix(" says hello\nalone\n"),
      "\(session.command.text)\(session.command.errors)"
    )
  }

  @Test(arguments: TestUser.available)
  func `a program that cannot run has the exit code of a shell and an error message`(user: TestUser) throws {
    let home = try TestHome(user)
    let plain = try home.write("plain", "no program\n")
    let cases: [([String], Int32, String)] = [
      (["--", "no-such-program"], 127, "no-such-program"), (["--", ""], 127, "'': program not found"),
      (["--", "/nowhere/at/all"], 127, "/nowhere/at/all"),
      (["--", plain], 126, plain), (["--", "/tmp"], 126, "/tmp"),
      (["--policy", "no-such-policy", "--", "true"], 66, "capture"),
      (["--camera", home.file("no-camera.jpg"), "--", "true"], 66, "no-camera.jpg"),
      (["--camera", plain, "--", "true"], 66, plain),
    ]
    for (arguments, code, part) in cases {
      let result = try home.darkroom("exec", ["--app", TestHome.app] + arguments)
      #expect(result.code == code, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(part), "\(arguments): \(result.errors)")
    }
    #expect(try home.darkroom("exec", ["--", "true"]).code == 64)
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `writes the record to the given path, and launches nothing if that fails`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    func exec(_ record: String) throws -> Command.Result {
      try home.darkroom("exec", ["--app", TestHome.app, "--record", record, "--", "echo", "launched"])
    }
    let shown = try exec("/dev/stdout")
    #expect(shown.code == 0 && shown.text.hasPrefix("launched\n{"), "\(shown.text)\(shown.errors)")
    #expect(try home.json(Array(shown.output.dropFirst("launched\n".utf8.count)))["sessionID"] != nil)
    let dropped = try exec("/dev/null")
    #expect(dropped.code == 0 && dropped.text == "launched\n", "\(dropped.errors)")
    #expect(try FileSystem.open("/dev/null", [.path]).status().kind == .characterDevice)
    for path in [home.directory, "\(home.directory)/nowhere/record.json"] {
      let refused = try exec(path)
      #expect(refused.code == 73 && refused.output.isEmpty, "\(refused.text)")
      #expect(refused.errors.contains("; nothing was launched"), "\(refused.errors)")
    }
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `reports EFBIG under a file size limit of the host, and recovery finishes the session`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    let arguments = ["exec", "--root", home.root, "--app", TestHome.app, "--", "true"]
    let limited = ["/bin/sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", home.programs.darkroom]
    let result = try home.start(limited + arguments).end()
    // Exit code 153 would mean a termination by SIGXFSZ.
    #expect(result.code == 73 && result.errors.contains("(EFBIG); raise the limit"), "\(result.errors)")
    #expect(try home.darkroom("recover", []).code == 0)
    #expect(try home.darkroom("exec", Array(arguments.dropFirst(3))).code == 0)
    try home.expectNothingLeft()
  }

  @Test(arguments: TestUser.available)
  func `delivers content although the umask removes all permissions of the owner`(user: TestUser) throws {
    let home = try TestHome(user)
    let script = "umask; echo x >/session/a"
    let arguments = ["exec", "--root", home.root, "--app", TestHome.app, "--", "sh", "-c", script]
    let masked = ["/bin/sh", "-c", "umask 0777; exec \"$0\" \"$@\"", home.programs.darkroom]
    let result = try home.start(masked + arguments).end()
    #expect(result.code == 0 && result.text == "0077\n", "\(result.errors)")
    let content = "apps/\(TestHome.app)/container/SessionContent"
    let session = try #require(try home.names(content).first)
    #expect(try FileSystem.contents("\(home.root)/\(content)/\(session)/a") == Array("x\n".utf8))
    #expect(try FileSystem.status(home.root)?.permissions == 0o700)
    try home.expectNothingLeft()
  }

  @Test func `rejects an invalid policy with the line of the error`() throws {
    let home = try TestHome(TestUser.available[0])
    let mistakes = [
      #"{"name":"x","syscalls":{"allow":["no_such_call"]}}"#, #"{"name":"x","unknown":1}"#, #"{"name":"x","#,
      #"{"name":"x","extends":"capture","syscalls":{"allow":["mount"]}}"#,
    ]
    for mistake in mistakes {
      let policy = try home.write("policy.json", mistake)
      let result = try home.darkroom("exec", ["--app", TestHome.app, "--policy", policy, "--", "true"])
      #expect(result.code == 65, "\(mistake): \(result.errors)")
      #expect(result.errors.contains("policy.json:1:"), "\(result.errors)")
    }
    let policy = try home.write("policy.json", #"{"name":"x","extends":"capture","limits":{"processes":8}}"#)
    #expect(try home.exec(["true"], options: ["--policy", policy]).record["policy"]?["name"]?.string == "x")
  }

  @Test(.enabled(if: TestPrograms.has("cc")), arguments: TestUser.available)
  func `a static program runs under the strict policy but cannot execute another`(user: TestUser) throws {
    let home = try TestHome(user)
    let source = """
      #include <stdio.h>
      #include <unistd.h>
      int main(void) {
        FILE *file = fopen("/session/result", "w");
        if (file == NULL || fputs("done", file) < 0 || fclose(file) != 0) return 2;
        execl("/proc/self/exe", "again", NULL);
        perror("exec");
        return 0;
      }
      """
    try home.write("static.c", source)
    try runShell(
      "cc -static -o '\(home.file("static"))' '\(home.file("static.c"))' && chmod 0755 '\(home.file("static"))'"
    )
    let session = try home.exec([home.file("static")], options: ["--policy", "strict"])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.command.errors.contains("exec: "))
    #expect(try session.text("result") == "done")
  }
}
