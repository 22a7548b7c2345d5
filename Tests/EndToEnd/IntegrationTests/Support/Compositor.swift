// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A headless Wayland compositor with readable contents: a private sway, which exits with this object.
///
/// It runs as an unprivileged user, because sway does not start as root.
final class Compositor {
  /// The test home of the compositor.
  private let home: TestHome
  private let command: Command
  /// The directory of the sockets.
  let directory: String
  /// The name of the Wayland socket.
  let display: String
  private let controlSocket: String

  /// The root directory of a newer Debian with a sway that can lock the screen, or `nil` to use the installed
  /// sway.
  ///
  /// `Tests/Rigs/lock_compositor.sh FOLDER` creates one.
  private static let alternativeRoot: String? = CurrentProcess.environment("DARKROOM_LOCK_COMPOSITOR")
  /// Whether a sway with ext-session-lock-v1 is available. It requires sway 1.8, which is newer than that of
  /// Debian 12.
  static let canLock: Bool = {
    if alternativeRoot != nil { return true }
    let version = TestHome.output(of: ["/usr/bin/sway", "--version"])
    let numbers = (version.firstMatch(of: /version ([0-9]+)\.([0-9]+)/)?.output).map {
      (Int($0.1), Int($0.2))
    }
    guard let numbers, let major = numbers.0, let minor = numbers.1, (major, minor) >= (1, 8) else {
      print(
        "SKIP: the lock screen in front of a compositor: this sway has no ext-session-lock-v1; Tests/Rigs/lock_compositor.sh "
          + "makes one that has"
      )
      return false
    }
    return true
  }()

  /// Starts a compositor. `supportsLocking` determines whether the compositor must support locking the screen.
  init(width: Int, height: Int, supportsLocking: Bool = false) throws {
    let home = try TestHome(.regular)
    let directory = home.file("run")
    try FileSystem.makeDirectory(directory)
    try home.giveOwnership(directory)
    let configuration = try home.write(
      "sway.conf",
      "output HEADLESS-1 resolution \(width)x\(height)\ndefault_border none\nxwayland disable\n"
    )
    var arguments: [String] = []
    if supportsLocking, let root = Self.alternativeRoot {
      arguments = [
        "/usr/bin/bwrap", "--ro-bind", root, "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        "--bind",
        home.directory, home.directory,
      ]
    }
    arguments += [
      "/usr/bin/env", "XDG_RUNTIME_DIR=\(directory)", "WLR_BACKENDS=headless", "WLR_RENDERER=pixman",
      "WLR_LIBINPUT_NO_DEVICES=1", "/usr/bin/sway", "-c", configuration,
    ]
    command = try home.start(arguments)
    var (display, controlSocket): (String?, String?)
    try command.wait {
      let names = try FileSystem.names(in: directory)
      display = names.first { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
      controlSocket = names.first { $0.hasPrefix("sway-ipc.") && $0.hasSuffix(".sock") }
      return display != nil && controlSocket != nil
    }
    self.display = try #require(display)
    self.controlSocket = "\(directory)/\(try #require(controlSocket))"
    self.home = home
    self.directory = directory
  }

  deinit {
    kill()
    _ = try? command.end()
  }

  /// The environment variables that clients need.
  var variables: [String] { ["XDG_RUNTIME_DIR=\(directory)", "WAYLAND_DISPLAY=\(display)"] }

  /// Kills the compositor.
  func kill() { command.signal(SIGKILL) }

  /// Sends a command or query to sway and returns the reply.
  @discardableResult
  func message(_ arguments: String...) throws -> String {
    let result = try home.start(["/usr/bin/swaymsg", "-s", controlSocket] + arguments).end()
    try #require(result.code == 0, "swaymsg \(arguments): \(result.errors)\(result.text)")
    return result.text
  }

  /// Types on a temporary virtual keyboard (wtype(1)).
  func type(_ arguments: String...) throws { try type(arguments) }

  /// Types on a temporary virtual keyboard (wtype(1)).
  func type(_ arguments: [String]) throws {
    let program = ["/usr/bin/env"] + variables + ["/usr/bin/wtype"]
    let result = try home.start(program + arguments).end()
    try #require(result.code == 0, "wtype \(arguments): \(result.errors)\(result.text)")
  }

  /// Clicks at a position of the screen with a temporary virtual pointer.
  func click(_ column: Int, _ row: Int, width: Int, height: Int) throws {
    try drag([(column, row)], width: width, height: height)
  }

  /// Presses the left button of a temporary virtual pointer at the first position of the screen, moves the
  /// pointer to the others, and releases the button.
  func drag(_ positions: [(column: Int, row: Int)], width: Int, height: Int) throws {
    let result = try startDrag(positions, width: width, height: height).end()
    try #require(result.code == 0, "\(result.errors)")
  }

  /// Starts a drag, which takes a fifth of a second for each position.
  func startDrag(_ positions: [(column: Int, row: Int)], width: Int, height: Int) throws -> Command {
    let program = try home.write("click.py", Self.pointer)
    let numbers = [width, height] + positions.flatMap { [$0.column, $0.row] }
    let arguments = [program, "\(directory)/\(display)"] + numbers.map(String.init)
    return try home.start(["/usr/bin/python3"] + arguments)
  }

  /// A Python script with a virtual pointer (wlr-virtual-pointer-unstable-v1).
  private static let pointer = #"""
    import socket, struct, sys, time
    path, (width, height, *numbers) = sys.argv[1], map(int, sys.argv[2:])
    (column, row), *others = zip(numbers[::2], numbers[1::2])
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    def request(target, number, body): line.sendall(struct.pack("=IHH", target, number, 8 + len(body)) + body)
    def words(*numbers): return struct.pack(f"={len(numbers)}I", *numbers)
    request(1, 1, words(2))
    request(1, 0, words(3))
    seen, found, done = b"", None, False
    while not done:
        seen += line.recv(65536)
        while len(seen) >= 8:
            target, number, size = struct.unpack("=IHH", seen[:8])
            if len(seen) < size: break
            body, seen = seen[8:size], seen[size:]
            if target == 2 and number == 0:
                name, length = struct.unpack("=II", body[:8])
                if body[8:7 + length] == b"zwlr_virtual_pointer_manager_v1": found = name
            if target == 3: done = True
    kind = b"zwlr_virtual_pointer_manager_v1\0"
    request(2, 0, words(found, len(kind)) + kind + words(1, 4))
    request(4, 0, words(0, 5))
    time.sleep(0.3)
    moves = [step for column, row in others for step in ((1, words(3, column, row, width, height)), (4, b""))]
    for number, body in [
        (1, words(1, column, row, width, height)), (4, b""), (2, words(2, 0x110, 1)), (4, b""), *moves,
        (2, words(4, 0x110, 0)), (4, b""),
    ]:
        request(5, number, body)
        time.sleep(0.1)
    time.sleep(0.3)
    """#

  /// Returns the title of the viewfinder's window, or `nil` if there is none.
  func title() throws -> String? {
    func title(in node: JSONValue) -> String? {
      if node["app_id"]?.string == "darkroom" { return node["name"]?.string }
      for list in ["nodes", "floating_nodes"] {
        for child in node[list]?.elements ?? [] {
          if let found = title(in: child) { return found }
        }
      }
      return nil
    }
    return title(in: try home.json(Array(try message("-t", "get_tree").utf8)))
  }

  /// The pixels of a screen.
  struct Screen {
    /// The width in pixels.
    var width: Int
    /// The height in pixels.
    var height: Int
    /// The red, green and blue bytes, row by row.
    var pixels: ArraySlice<UInt8>

    /// Returns the color of a pixel.
    func colour(_ column: Int, _ row: Int) -> [Int] {
      let start = pixels.startIndex + 3 * (row * width + column)
      return pixels[start..<start + 3].map(Int.init)
    }
  }

  /// Returns a screenshot, of the named output if there are several.
  func screen(_ output: String? = nil) throws -> Screen {
    let outputOption = output.map { ["-o", $0] } ?? []
    let program = ["/usr/bin/env"] + variables + ["/usr/bin/grim", "-t", "ppm"]
    let result = try home.start(program + outputOption + ["-"]).end()
    try #require(result.code == 0, "grim: \(result.errors)")
    // The header of P6: the magic number, width, height and 255, each followed by one white space.
    var rest = result.output[...]
    var arguments: [String] = []
    while arguments.count < 4 {
      let word = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
      arguments.append(String(decoding: word, as: UTF8.self))
      rest = rest.dropFirst(word.count + 1)
    }
    let (width, height) = (try #require(Int(arguments[1])), try #require(Int(arguments[2])))
    try #require(arguments[0] == "P6" && rest.count == 3 * width * height)
    return Screen(width: width, height: height, pixels: rest)
  }
}
