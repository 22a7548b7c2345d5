// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// A request to systemd for a delegated control group (systemd.scope(5)).
enum ScopeRequest {
  /// The result. The request is made once per process, and concurrent callers wait for it.
  private static let outcome = Mutex<Bool?>(nil)

  /// The socket of the D-Bus bus of this user's systemd, or `nil` if there is none.
  static var bus: String? {
    let path: String
    if CurrentProcess.effectiveUserID == 0 {
      path = "/run/dbus/system_bus_socket"
    } else {
      guard let directory = CurrentProcess.environment("XDG_RUNTIME_DIR") else { return nil }
      path = "\(directory)/bus"
    }
    return (try? FileSystem.status(path))??.kind == .socket ? path : nil
  }

  /// Makes systemd move this process to a new scope. Returns whether it succeeded.
  static func make() -> Bool {
    outcome.withLock { outcome in
      let result = outcome ?? makeOnce()
      outcome = result
      return result
    }
  }

  private static func makeOnce() -> Bool {
    guard let bus else { return false }
    let process = CurrentProcess.processID
    let name = "darkroom-\(process)-\(Randomness.hexadecimal(bytes: 4)).scope"
    guard (try? ask(bus, name, UInt32(process))) == true else { return false }
    // systemd replies when the job is queued. The job takes a few milliseconds.
    for _ in 0..<400 {
      if let own = try? FileSystem.contents("/proc/self/cgroup"),
        String(decoding: own, as: UTF8.self).contains("/\(name)")
      {
        return true
      }
      MonotonicClock.sleep(milliseconds: 5)
    }
    return false
  }

  private static func ask(_ bus: String, _ name: String, _ process: UInt32) throws(SystemCallError) -> Bool {
    let connection = try LocalSocket.connect(bus, seconds: 2)
    let user = "\(CurrentProcess.effectiveUserID)".utf8.map { String($0, radix: 16) }.joined()
    try connection.writeAll([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
    var received: [UInt8] = []
    while !received.contains(10) {
      guard try receive(connection, &received) else { return false }
    }
    guard received.starts(with: Array("OK ".utf8)) else { return false }
    received = []
    try connection.writeAll(Array("BEGIN\r\n".utf8) + hello + start(name, process))
    while true {
      while let answer = BusMessage.answer(received[...]) {
        if answer.serial == 2 { return answer.kind == .done }
        received.removeFirst(answer.length)
      }
      guard try receive(connection, &received) else { return false }
    }
  }

  /// Receives data. Returns `false` at the end.
  private static func receive(
    _ connection: borrowing Descriptor,
    _ received: inout [UInt8]
  ) throws(SystemCallError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    guard case .bytes(let count) = try connection.read(into: buffer) else { return false }
    received.append(contentsOf: buffer[..<count])
    return true
  }

  private static let hello = BusMessage.call(
    "Hello",
    of: "org.freedesktop.DBus",
    at: "/org/freedesktop/DBus",
    on: "org.freedesktop.DBus",
    serial: 1
  )

  private static func start(_ name: String, _ process: UInt32) -> [UInt8] {
    BusMessage.call(
      "StartTransientUnit",
      of: "org.freedesktop.systemd1.Manager",
      at: "/org/freedesktop/systemd1",
      on: "org.freedesktop.systemd1",
      serial: 2,
      signature: BusMessage.scopeSignature,
      body: BusMessage.scope(name, description: "Darkroom sessions", process: process)
    )
  }
}
