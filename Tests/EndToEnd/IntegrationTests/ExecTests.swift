// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of unmodified programs under `darkroom exec`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ExecTests {
  @Test(arguments: Person.available)
  func `exit codes and signals pass through`(person: Person) throws {
    let place = try Place(person)
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -ABRT $$", 134)]
      as [(String, Int32)]
    {
      #expect(try place.exec(["sh", "-c", script]).command.code == code)
    }
  }

  @Test(arguments: Person.available)
  func `a program that sends no messages sees an empty library, and makes nothing there`(person: Person)
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
    let session = try Place(person).exec(["sh", "-c", script])
    #expect(session.command.text == "done\n")
  }

  @Test(arguments: Person.available)
  func `standard input, output and error are the program's own, byte for byte`(person: Person) throws {
    let place = try Place(person)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try FileSystem.replaceContents(place.file("bytes"), with: bytes, mode: 0o644)
    let session = try place.exec(
      ["sh", "-c", "tee /session/copy; echo problem >&2"],
      input: place.file("bytes")
    )
    #expect(session.command.output == bytes)
    #expect(session.command.errors == "problem\n")
    #expect(try session.bytes("copy") == bytes)
  }

  @Test(arguments: Person.available)
  func `a stream that is closed is nothing else for the program, and a place is no stream`(person: Person)
    throws
  {
    let place = try Place(person)
    let words = [place.programs.darkroom, "exec", "--root", place.root, "--app", Place.app, "--", "sh", "-c"]
    let script =
      "for n in 0 1 2; do f=$(readlink /proc/$$/fd/$n); echo \"$f\" >>/session/streams; done; ! cd /proc/self/fd/0/"
    for (number, redirection) in ["<&-", ">&-", "2>&-"].enumerated() {
      let command = try place.start(["sh", "-c", "exec \"$@\" \(redirection)", "sh"] + words + [script]).end()
      #expect(command.code == 0, "\(redirection): \(command.errors)")
      let content = "\(place.root)/apps/\(Place.app)/container/SessionContent"
      let sessions = try FileSystem.names(in: content)
      let session = try #require(sessions.first, "\(redirection): \(command.errors)")
      let streams = try FileSystem.contents("\(content)/\(session)/streams") ?? []
      let lines = String(decoding: streams, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 3 && lines.dropFirst(number).first == "/dev/null", "\(redirection): \(lines)")
      _ = try place.darkroom("content", ["invalidate", Place.app, session])
    }
    let refused = try place.start(["sh", "-c", "exec \"$@\" </etc", "sh"] + words + ["cat"]).end()
    #expect(
      refused.code == 126 && refused.errors.contains("standard input is a directory"),
      "\(refused.errors)"
    )
  }

  @Test(arguments: Person.available)
  func `a shell has its pipelines, redirections and substitutions`(person: Person) throws {
    let script = """
      set -o pipefail
      seq 1 1000 | grep 7 | sort -rn | head -3 | tr '\\n' ' '
      cat <(echo substituted) - <<<here
      mkdir -p /session/a/b && (cd /session/a && echo x >b/c && tar cf - b) | tar tf - | wc -l
      dd if=/dev/zero of=/session/zeros bs=64k count=16 status=none && stat -c %s /session/zeros
      sleep 0.01 & wait $! && find /session -type f | sort | xargs -n1 basename | tr '\\n' ' '
      """
    let session = try Place(person).exec(["bash", "-c", script])
    #expect(
      session.command.text == "997 987 979 substituted\nhere\n2\n1048576\nc zeros ",
      "\(session.command.errors)"
    )
  }

  @Test(.enabled(if: Programs.has("python3")), arguments: Person.available)
  func `Python has threads, children and SQLite, and no sockets`(person: Person) throws {
    let place = try Place(person)
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
    let session = try place.exec(["/usr/bin/python3", "-c", script])
    #expect(session.command.text == "328350\nCHILD\n45\nTrue\n", "\(session.command.errors)")
    #expect(session.files == ["result"])
  }

  @Test(arguments: Person.available)
  func `the record says on what ground each permission stood`(person: Person) throws {
    let place = try Place(person)
    let granted = try place.exec(["true"], options: ["--camera", "pattern:64x48@30"])
    #expect(granted.record["permissions"]?["camera"] == ["status": "authorized", "ground": "commandLine"])
    #expect(granted.record["permissions"]?["photos"] == ["status": "notDetermined", "ground": "undecided"])
    try #require(try place.darkroom("permission", ["set", Place.app, "camera", "denied"]).code == 0)
    let denied = try place.exec(["true"], options: ["--camera", "pattern:64x48@30"])
    #expect(denied.record["permissions"]?["camera"] == ["status": "denied", "ground": "person"])
    let names = denied.record["permissions"]?.members?.map(\.name)
    #expect(names == ["camera", "microphone", "photosAddOnly", "photos"])
  }

  @Test(arguments: Person.available)
  func `a program gets no byte of a camera that its app may not use`(person: Person) throws {
    let place = try Place(person)
    let (words, options) = (["sh", "-c", "head -c 1000 >/session/frames"], ["--camera", "pattern:64x48@30"])
    /// Returns the number of bytes that the program received.
    func bytes(_ session: Place.Session) -> Int64? {
      session.record["files"]?.elements?.first?["size"]?.integer
    }
    #expect(bytes(try place.exec(words, options: options)) == 1000)
    try #require(try place.darkroom("permission", ["set", Place.app, "camera", "denied"]).code == 0)
    let denied = try place.exec(words, options: options)
    #expect(bytes(denied) == 0 && denied.command.errors.contains("may not use the camera (denied)"))
  }

  @Test(.enabled(if: Programs.has("ffmpeg", "ffprobe")), arguments: Person.available)
  func `ffmpeg records what the camera gives it on its standard input`(person: Person) throws {
    let words = ["ffmpeg", "-v", "error", "-i", "-", "-frames:v", "12", "/session/clip.mkv"]
    let session = try Place(person).exec(words, options: ["--camera", "pattern:320x240@30"])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["clip.mkv"])
    #expect((session.record["frames"]?["produced"]?.integer ?? 0) >= 12)
  }

  @Test(.enabled(if: Programs.has("identify")), arguments: Person.available)
  func `ImageMagick makes and reads pictures`(person: Person) throws {
    let place = try Place(person)
    let words = [
      "/usr/bin/convert", "-size", "64x48", "gradient:red-blue", "-rotate", "90", "/session/a.png",
    ]
    let session = try place.exec(words)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["a.png"])
    let read = try place.exec(["identify", "-format", "%m %wx%h", "jpeg:-"], input: place.programs.picture)
    #expect(read.command.text.hasPrefix("JPEG "), "\(read.command.errors)")
  }

  @Test(arguments: Person.available)
  func `--env and --read-only give the program what it needs`(person: Person) throws {
    // Sessions have their own /tmp, and a session cannot be shown the state root in the test home.
    let elsewhere = Person.hasRoot ? "/opt" : CurrentProcess.environment("HOME") ?? "/"
    let place = try Place(person, below: elsewhere)
    let shown = try Place(person, below: elsewhere)
    try runShell("chmod 0755 '\(shown.directory)'")
    try shown.write("shown.txt", "shown\n")
    let script =
      "echo \"$COLOUR\"; cat \(shown.directory)/shown.txt; echo x >\(shown.directory)/new 2>/dev/null || echo read-only"
    let options = ["--env", "COLOUR=deep blue=sea", "--read-only", shown.directory]
    let session = try place.exec(["sh", "-c", script], options: options)
    #expect(session.command.text == "deep blue=sea\nshown\nread-only\n", "\(session.command.errors)")
    for reserved in ["DARKROOM_X=1", "LD_PRELOAD=/x", "HOME=/x"] {
      let result = try place.darkroom("exec", ["--app", Place.app, "--env", reserved, "--", "true"])
      #expect(result.code != 0 && result.errors.contains(reserved.prefix { $0 != "=" }), "\(result.errors)")
    }
    let state = try place.darkroom("exec", ["--app", Place.app, "--read-only", place.root, "--", "true"])
    #expect(state.code != 0 && state.errors.contains("Darkroom's state"), "\(state.errors)")
    let own = try place.darkroom("exec", ["--app", Place.app, "--read-only", "/tmp", "--", "true"])
    #expect(own.code != 0 && own.errors.contains("/tmp cannot be shown"), "\(own.errors)")
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a program that lies anywhere is shown alone, and runs`(person: Person) throws {
    let place = try Place(person)
    let script = try place.write(
      "own",
      "#!/bin/sh\necho \"$0 says $1\"; ls \(place.directory) 2>/dev/null || echo alone\n",
      mode: 0o755
    )
    let session = try place.exec([script, "hello"])
    #expect(
      session.command.text.hasSuffix(" says hello\nalone\n"),
      "\(session.command.text)\(session.command.errors)"
    )
  }

  @Test(arguments: Person.available)
  func `what cannot be run has the exit code that a shell gives it, and a sentence`(person: Person) throws {
    let place = try Place(person)
    let plain = try place.write("plain", "no program\n")
    let cases: [([String], Int32, String)] = [
      (["--", "no-such-program"], 127, "no-such-program"), (["--", ""], 127, "no program without a name"),
      (["--", "/nowhere/at/all"], 127, "/nowhere/at/all"),
      (["--", plain], 126, plain), (["--", "/tmp"], 126, "/tmp"),
      (["--policy", "no-such-policy", "--", "true"], 66, "capture"),
      (["--camera", place.file("no-camera.jpg"), "--", "true"], 66, "no-camera.jpg"),
      (["--camera", plain, "--", "true"], 66, plain),
    ]
    for (words, code, part) in cases {
      let result = try place.darkroom("exec", ["--app", Place.app] + words)
      #expect(result.code == code, "\(words): \(result.errors)")
      #expect(result.errors.contains(part), "\(words): \(result.errors)")
    }
    #expect(try place.darkroom("exec", ["--", "true"]).code == 64)
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a record goes to whom it is for, and where it could not go nothing is launched`(
    person: Person
  ) throws {
    let place = try Place(person)
    try place.installSmall()
    func exec(_ record: String) throws -> Command.Result {
      try place.darkroom("exec", ["--app", Place.app, "--record", record, "--", "echo", "launched"])
    }
    let shown = try exec("/dev/stdout")
    #expect(shown.code == 0 && shown.text.hasPrefix("launched\n{"), "\(shown.text)\(shown.errors)")
    #expect(try place.json(Array(shown.output.dropFirst("launched\n".utf8.count)))["sessionID"] != nil)
    let dropped = try exec("/dev/null")
    #expect(dropped.code == 0 && dropped.text == "launched\n", "\(dropped.errors)")
    #expect(try FileSystem.open("/dev/null", [.path]).status().kind == .characterDevice)
    for path in [place.directory, "\(place.directory)/nowhere/record.json"] {
      let refused = try exec(path)
      #expect(refused.code == 73 && refused.output.isEmpty, "\(refused.text)")
      #expect(refused.errors.contains("; nothing was launched"), "\(refused.errors)")
    }
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a host whose files may not grow says so, and what it has begun is finished later`(
    person: Person
  ) throws {
    let place = try Place(person)
    try place.installSmall()
    let words = ["exec", "--root", place.root, "--app", Place.app, "--", "true"]
    let limited = ["/bin/sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", place.programs.darkroom]
    let result = try place.start(limited + words).end()
    // Exit code 153 would mean a termination by SIGXFSZ.
    #expect(result.code == 73 && result.errors.contains("(EFBIG); raise the limit"), "\(result.errors)")
    #expect(try place.darkroom("recover", []).code == 0)
    #expect(try place.darkroom("exec", Array(words.dropFirst(3))).code == 0)
    try place.expectNothingLeft()
  }

  @Test(arguments: Person.available)
  func `a mask that takes files from their owner keeps no capture from the app`(person: Person) throws {
    let place = try Place(person)
    let script = "umask; echo x >/session/a"
    let words = ["exec", "--root", place.root, "--app", Place.app, "--", "sh", "-c", script]
    let masked = ["/bin/sh", "-c", "umask 0777; exec \"$0\" \"$@\"", place.programs.darkroom]
    let result = try place.start(masked + words).end()
    #expect(result.code == 0 && result.text == "0077\n", "\(result.errors)")
    let content = "apps/\(Place.app)/container/SessionContent"
    let session = try #require(try place.names(content).first)
    #expect(try FileSystem.contents("\(place.root)/\(content)/\(session)/a") == Array("x\n".utf8))
    #expect(try FileSystem.status(place.root)?.permissions == 0o700)
    try place.expectNothingLeft()
  }

  @Test func `a policy with a mistake is refused with its place`() throws {
    let place = try Place(Person.available[0])
    let mistakes = [
      #"{"name":"x","syscalls":{"allow":["no_such_call"]}}"#, #"{"name":"x","unknown":1}"#, #"{"name":"x","#,
      #"{"name":"x","extends":"capture","syscalls":{"allow":["mount"]}}"#,
    ]
    for mistake in mistakes {
      let policy = try place.write("policy.json", mistake)
      let result = try place.darkroom("exec", ["--app", Place.app, "--policy", policy, "--", "true"])
      #expect(result.code == 65, "\(mistake): \(result.errors)")
      #expect(result.errors.contains("policy.json:1:"), "\(result.errors)")
    }
    let policy = try place.write("policy.json", #"{"name":"x","extends":"capture","limits":{"processes":8}}"#)
    #expect(try place.exec(["true"], options: ["--policy", policy]).record["policy"]?["name"]?.string == "x")
  }

  @Test(.enabled(if: Programs.has("cc")), arguments: Person.available)
  func `a static program runs under the strict policy, and can start no other`(person: Person) throws {
    let place = try Place(person)
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
    try place.write("static.c", source)
    try runShell(
      "cc -static -o '\(place.file("static"))' '\(place.file("static.c"))' && chmod 0755 '\(place.file("static"))'"
    )
    let session = try place.exec([place.file("static")], options: ["--policy", "strict"])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.command.errors.contains("exec: "))
    #expect(try session.text("result") == "done")
  }
}
