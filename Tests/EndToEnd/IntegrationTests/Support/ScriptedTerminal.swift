// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A terminal with scripted answers that records what a viewfinder sends to it.
struct ScriptedTerminal {
  /// The path of the recorded output.
  let outputPath: String
  private let home: TestHome
  private let recordPath: String

  /// A Python terminal that answers queries as told, records its input in a file, and optionally reads
  /// nothing.
  private static let terminal = #"""
    import fcntl, os, pty, select, struct, sys, termios, time
    out, record, size, answer, rest = *sys.argv[1:5], sys.argv[5:]
    child, manager = pty.fork()
    if child == 0:
        time.sleep(0.2)
        os.execvp(rest[0], rest)
    columns, rows, width, height = map(int, size.split(","))
    fcntl.ioctl(manager, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, width, height))
    # Until all is over but the last words, which are for a person.
    while answer == "deaf" and not os.path.exists(record): time.sleep(0.02)
    kind, _, late = answer.partition(":")
    if kind != "late": late = ""
    is_flood = answer == "flood"
    answer = "" if late or is_flood else answer.encode().decode("unicode_escape").encode("latin-1")
    late = late.encode().decode("unicode_escape").encode("latin-1")
    seen, asked, due = b"", False, []
    # A viewfinder does not announce its end, so it is dismissed after some complete images.
    is_viewer = "--script" not in rest and not late and not is_flood
    while True:
        if is_viewer and seen.count(b"\x1b[?2026l") > 3:
            os.write(manager, b"d")
            is_viewer = False
        wait = 0.02 if due else 1
        if select.select([manager], [], [], wait)[0]:
            more = words(manager)
            if not more: break
            seen += more
        if not asked and b"\x1b[c" in seen:
            asked = True
            if answer: os.write(manager, answer)
            # In pieces, the last of which is a key.
            if late:
                now = time.monotonic()
                due = [(now + 1 + 0.05 * n, late[3 * n:3 * n + 3]) for n in range((len(late) + 2) // 3)]
                due.append((now + 4, b"d"))
            if is_flood:
                os.set_blocking(manager, False)
                due = [(time.monotonic() + 0.005 * n, b"\x1b[?62;4;" + b"1;" * 200) for n in range(400)]
        while due and due[0][0] <= time.monotonic():
            piece = due.pop(0)[1]
            if piece == b"d": seen += b"KEY"
            try: os.write(manager, piece)
            except BlockingIOError: pass
    open(out, "wb").write(seen)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """#

  /// A Python script that extracts the first complete picture from the recorded output.
  static let decoder = #"""
    import base64, re, sys
    way, source, target = sys.argv[1:]
    seen = open(source, "rb").read()
    if way == "sixel":
        picture = re.search(rb"\x1bP[0-9;]*q.*?\x1b\\", seen, re.S).group()
    else:
        form = rb"\x1b_Ga=T,f=32,s=(\d+),v=(\d+)[^\x1b]*\x1b\\((?:\x1b_Gm=\d;?[^\x1b]*\x1b\\)+)"
        width, height, chunks = re.search(form, seen).groups()
        parts = re.findall(rb"\x1b_Gm=\d;?([^\x1b]*)\x1b", chunks)
        pixels = b"".join(base64.b64decode(part) for part in parts)
        rows = b"".join(pixels[n:n + 3] for n in range(0, int(width) * int(height) * 4, 4))
        picture = b"P6 %s %s 255\n%s" % (width, height, rows)
    open(target, "wb").write(picture)
    """#

  /// A Python script that fails if the recorded output of the picture contains unexpected sequences.
  static let outputValidator = #"""
    import re, sys
    seen = open(sys.argv[1], "rb").read()
    begin, end = seen.index(b"\x1b[?1049h"), seen.rindex(b"\x1b[?1049l")
    picture = seen[begin:end]
    assert picture.count(b"\x1b[?2026h") > 1, "nothing was shown"
    forms = [
        rb"\x1b\[0;7m [ -~]*", rb"\x1b\[[0-9;]*[mH]", rb"\x1b\[2J", rb"\x1b\[\?(?:1049|25|7|2026)[hl]",
        rb"\x1bP[0-9;]*q[!-~\n]*\x1b\\", rb"\x1b_G[!-~]*\x1b\\", rb" |\xe2\x96[\x80-\x9f]",
        # The part of a sequence, or of a character, that was written when the session ended; empty if it was written whole.
        rb"(?:\x1b[P_\[]?[!-~\n]*|\xe2\x96?)?\x18\x1b\\",
    ]
    rest = re.sub(b"|".join(forms), b"", picture)
    assert not rest, rest[:200]
    """#

  /// Runs a session in the terminal. `answer` is the answer of the terminal to queries. `seconds` is the
  /// duration, or `nil` to press a key after some complete pictures. `camera` is the camera.
  init(
    _ home: TestHome,
    _ previewMode: String,
    answer: String,
    seconds: Double? = 1,
    camera: String = "pattern:320x240@30"
  ) throws {
    self.home = home
    outputPath = home.file("seen")
    recordPath = home.file("record.json")
    try home.install()
    home.variables += ["TERM=xterm-256color", "COLORTERM=truecolor", "DARKROOM_ROOT=\(home.root)"]
    let program = try home.write("terminal.py", TerminalReader.script + Self.terminal)
    var arguments = [
      "/usr/bin/python3", program, outputPath, recordPath, "80,24,640,384", answer, home.programs.darkroom,
      "run", "\(TestHome.app).snapshot", "--camera", camera, "--preview", previewMode, "--record", recordPath,
    ]
    if let seconds { arguments += ["--script", try home.write("script", "wait \(seconds)s\ndismiss\n")] }
    let result = try home.start(arguments).end()
    #expect(result.code == 0, "\(result.errors)")
  }

  /// Returns the recorded output.
  func text() throws -> String {
    String(decoding: try #require(try FileSystem.contents(outputPath, limit: 1 << 28)), as: UTF8.self)
  }

  /// Returns the record of the session.
  func record() throws -> JSONValue {
    try home.json(try #require(try FileSystem.contents(recordPath)))
  }

  /// Checks that the session was dismissed.
  func expectDismissed(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try record()["outcome"]?["kind"]?.string == "dismissed", sourceLocation: sourceLocation)
  }
}
