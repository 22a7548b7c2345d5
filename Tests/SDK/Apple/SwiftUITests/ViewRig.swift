// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Foundation
import LinuxPrimitives
import LockedCameraCapture
import SwiftUI

/// A session that shows a view in a viewfinder of 780 by 390 pixels, in which a point is a pixel.
///
/// The host's ends of the pipes and the ring are in the same thread: the session sends nothing that needs a reply.
@MainActor
final class ViewRig {
  static let width = 780
  static let height = 390
  private static let slots = 4
  private static let slotSize = (64 + width * height * 3 / 2 + 4095) / 4096 * 4096

  /// The session of the view.
  let session: LockedCameraCaptureSession
  private let toExtension: Descriptor
  private let fromExtension: Descriptor
  private let memory: Mapping
  private let cameraMemory: Mapping

  /// Whether the clock of the session advances only by ``step(milliseconds:)``.
  private let stopsClock: Bool

  /// Starts a session and shows a view.
  init(_ view: some View, stopsClock: Bool = true) throws {
    self.stopsClock = stopsClock
    SignalDescriptor.reportFailedWrites()
    let inward = try Pipe.make()
    let outward = try Pipe.make()
    let size = 4096 + Self.slots * Self.slotSize
    let camera = try MemoryFile.make(name: "frames", size: size)
    let preview = try MemoryFile.make(name: "preview", size: size)
    let mapping = try Mapping(preview, length: size, .readWrite)
    memory = mapping
    cameraMemory = try Mapping(camera, length: size, .readWrite)
    Self.writeHeader(memory.bytes)
    Self.writeHeader(cameraMemory.bytes)
    // Duplicates, because Swift 6.2.3 does not compile code that moves the ends out of a pipe of another module.
    toExtension = try inward.writeEnd.duplicate()
    fromExtension = try outward.readEnd.duplicate()
    try toExtension.writeAll(HostMessage.request(id: .integer(1), .sessionStart(Self.start)).line)
    session = try LockedCameraCaptureSession(
      HostChannel(
        hostIn: try inward.readEnd.duplicate(),
        hostOut: try outward.writeEnd.duplicate(),
        camera: CameraChannel(
          frames: camera,
          frameEvent: try EventCounter.make(),
          frameDone: try EventCounter.make()
        ),
        preview: PreviewChannel(frames: preview, frameEvent: try EventCounter.make())
      )
    )
    if stopsClock { session.clock.stop(at: MonotonicClock.now) }
    try view.appear(in: session)
  }

  private static let start = SessionStart(
    .init(
      sessionID: "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11",
      app: "org.example.camera",
      extension: "org.example.camera.capture"
    ),
    directories: .init(session: "/session"),
    lockState: .locked,
    permissions: Permissions(camera: .authorized),
    deadlines: Deadlines(launch: 10, dismissal: 2),
    devices: .init(
      camera: CameraDescription(width: width, height: height, frameRate: FrameRate(30), name: "fake")
    )
  )

  /// Writes the header of a ring, with the fields of the specification.
  private static func writeHeader(_ bytes: UnsafeMutableRawBufferPointer) {
    bytes.copyBytes(from: Array("DKFR".utf8))
    let (luma, chroma) = (width * height, width / 2 * (height / 2))
    let values =
      [1, 4096, slots, slotSize, width, height, 1, 30, 1, 3] + [0] + [64, width, height, width]
      + [64 + luma, width / 2, height / 2, width / 2] + [
        64 + luma + chroma, width / 2, height / 2, width / 2,
      ]
    for (index, value) in values.enumerated() {
      bytes.storeBytes(of: UInt32(value).littleEndian, toByteOffset: 4 + 4 * index, as: UInt32.self)
    }
  }

  /// The number of frames that were drawn.
  var frameCount: Int { Int(memory.bytes.loadUnaligned(fromByteOffset: 128, as: UInt64.self)) }

  /// Returns the luma of a pixel of the last frame: 0 is black, and 255 is white.
  func luma(_ x: Int, _ y: Int) -> Int { Int(memory.bytes[slot + y * Self.width + x]) }

  /// Returns the chroma of a pixel of the last frame; 128 is gray.
  func chroma(_ x: Int, _ y: Int) -> (blue: Int, red: Int) {
    let index = slot + Self.width * Self.height + y / 2 * (Self.width / 2) + x / 2
    return (Int(memory.bytes[index]), Int(memory.bytes[index + Self.width / 2 * (Self.height / 2)]))
  }

  private var slot: Int { 4096 + (frameCount - 1) % Self.slots * Self.slotSize + 64 }

  /// Returns the smallest rectangle with all pixels that are brighter than a luma, or `nil` if there are none.
  func brightArea(above limit: Int = 127) -> CGRect? {
    var (low, high): ((Int, Int), (Int, Int)) = ((.max, .max), (-1, -1))
    for y in 0..<Self.height {
      for x in 0..<Self.width where luma(x, y) > limit {
        low = (min(low.0, x), min(low.1, y))
        high = (max(high.0, x), max(high.1, y))
      }
    }
    return high.0 < 0
      ? nil : CGRect(x: low.0, y: low.1, width: high.0 + 1 - low.0, height: high.1 + 1 - low.1)
  }

  /// Sends a change of a contact, and lets the session handle it.
  func contact(_ phase: PointerPhase, _ x: Double, _ y: Double, contact: Int = 0) throws {
    let event = ExtensionProtocol.PointerEvent(
      phase,
      x: x,
      y: y,
      contact: contact,
      time: session.clock.now
    )
    try toExtension.writeAll(HostMessage.notification(.pointerEvent(event)).line)
    try step()
  }

  /// Sends the start and the end of a contact.
  func tap(_ x: Double, _ y: Double) throws {
    try contact(.began, x, y)
    try contact(.ended, x, y)
  }

  /// Sends a lock state, and lets the session handle it.
  func setLockState(_ state: ExtensionProtocol.LockState) throws {
    try toExtension.writeAll(HostMessage.notification(.lockChanged(state)).line)
    try step()
  }

  /// Lets the session handle the next event or alarm, if there is one within some milliseconds.
  ///
  /// A stopped clock advances to the alarm, or by all milliseconds without an alarm. Only events of other threads are waited for.
  func step(milliseconds: UInt64 = 1) throws {
    let wait = milliseconds * 1_000_000
    let limit = session.clock.now + wait
    let alarm = stopsClock ? session.nextAlarm.flatMap { $0 <= limit ? $0 : nil } : nil
    if stopsClock { session.clock.stop(at: max(session.clock.now, alarm ?? limit)) }
    _ = try session.runIteration(until: MonotonicClock.now + (alarm == nil ? wait : 0))
  }
}
