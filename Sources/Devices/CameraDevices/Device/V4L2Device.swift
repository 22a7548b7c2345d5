// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
internal import CameraSource
package import LinuxPrimitives

/// A video device of the kernel (Video4Linux 2).
package final class V4L2Device: VideoDevice {
  /// The open device.
  private let file: Descriptor
  /// Whether it knows only requests for planes that may lie apart (`V4L2_CAP_VIDEO_CAPTURE_MPLANE`), as many phones do.
  let isPlanar: Bool
  /// Its buffers, while it has any.
  var buffers: [PlaneBuffer] = []
  /// How the planes of a frame are put together; nil: they are in one piece already.
  var layout: PlanarLayout?
  /// Where they are put together.
  var gathered: PixelBuffer?

  /// Opens a device; nothing of it changes by that.
  package init(_ path: String) throws(SystemCallError) {
    let file = try FileSystem.open(path, [.readWrite, .nonBlocking])
    var found = v4l2_capability()
    let isAsked = (try? Self.request(file.rawValue, darkroom_vidioc_querycap, &found)) != nil
    isPlanar =
      isAsked && Self.abilities(found).isDisjoint(with: .capture)
      && Self.abilities(found).contains(.planarCapture)
    self.file = file
    // What is at the other end of an HDMI grabber changes; a camera has no such event, which is no fault.
    var wanted = v4l2_event_subscription()
    wanted.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    _ = try? request(darkroom_vidioc_subscribe_event, &wanted)
  }

  /// The same open device, of which only controls are used.
  private init(adjusting file: consuming Descriptor) {
    self.file = file
    isPlanar = false
  }

  package func forAdjusting() -> sending (any AdjustableDevice)? {
    guard let file = try? file.duplicate() else { return nil }
    // The kernel has a lock of its own for the requests of a device.
    return V4L2Device(adjusting: file)
  }

  package var descriptor: Int32 { file.rawValue }
  /// libv4lconvert asks a device for what only those know whose frames are in one piece.
  package var kernelDescriptor: Int32? { isPlanar ? nil : file.rawValue }

  /// What its buffers are of.
  var type: UInt32 {
    (isPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
  }

  /// Makes a request.
  func request<Argument>(_ number: UInt, _ argument: inout Argument) throws(SystemCallError) {
    try Self.request(file.rawValue, number, &argument)
  }

  private static func request<Argument>(
    _ raw: Int32,
    _ number: UInt,
    _ argument: inout Argument
  ) throws(SystemCallError) {
    let result = withUnsafeMutablePointer(to: &argument) { darkroom_v4l2_request(raw, number, $0) }
    guard result == 0 else { throw SystemCallError("ioctl", errno: Errno(rawValue: -result)) }
  }

  package func identity() throws(SystemCallError) -> DeviceIdentity {
    var found = v4l2_capability()
    try request(darkroom_vidioc_querycap, &found)
    return DeviceIdentity(
      name: Self.text(found.card),
      driver: Self.text(found.driver),
      bus: Self.text(found.bus_info),
      abilities: Self.abilities(found)
    )
  }

  private static func abilities(_ found: v4l2_capability) -> DeviceIdentity.Abilities {
    // What this node can do, not what all nodes of the device can.
    let hasOwn = found.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let bits = hasOwn ? found.device_caps : found.capabilities
    var abilities: DeviceIdentity.Abilities = []
    if bits & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 { abilities.insert(.capture) }
    if bits & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 { abilities.insert(.planarCapture) }
    if bits & UInt32(V4L2_CAP_STREAMING) != 0 { abilities.insert(.streaming) }
    return abilities
  }

  /// A text that C keeps in an array; no control characters are in it.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return String(
        text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init)
      )
    }
  }
}
