// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
internal import CameraSource
package import LinuxPrimitives

/// A video device of the kernel (Video4Linux 2).
package final class V4L2Device: VideoDevice {
  /// The open device.
  private let file: Descriptor
  /// Whether the device supports only the multi-planar API (`V4L2_CAP_VIDEO_CAPTURE_MPLANE`), as on many
  /// phones.
  let isPlanar: Bool
  /// The mapped buffers; empty before they are requested.
  var buffers: [PlaneBuffer] = []
  /// The layout by which the planes of a frame are gathered, or `nil` if the frame is contiguous already.
  var layout: PlanarLayout?
  /// The buffer for the gathered planes.
  var gatherBuffer: PixelBuffer?

  /// Opens the device at a path, without changing its state.
  package init(_ path: String) throws(SystemCallError) {
    let file = try FileSystem.open(path, [.readWrite, .nonBlocking])
    var found = v4l2_capability()
    let isQueried = (try? Self.request(file.rawValue, darkroom_vidioc_querycap, &found)) != nil
    isPlanar =
      isQueried && Self.capabilities(found).isDisjoint(with: .capture)
      && Self.capabilities(found).contains(.planarCapture)
    self.file = file
    // The source of an HDMI grabber can change. Cameras do not have this event; the failure is ignored.
    var wanted = v4l2_event_subscription()
    wanted.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    _ = try? request(darkroom_vidioc_subscribe_event, &wanted)
  }

  /// Creates a second object for an open device, which is used only for its controls.
  private init(controlling file: consuming Descriptor) {
    self.file = file
    isPlanar = false
  }

  package func makeControlDevice() -> sending (any ControllableDevice)? {
    guard let file = try? file.duplicate() else { return nil }
    // The kernel serializes the requests of a device with its own lock.
    return V4L2Device(controlling: file)
  }

  package var descriptor: Int32 { file.rawValue }
  /// libv4lconvert makes requests that only single-planar devices support.
  package var kernelDescriptor: Int32? { isPlanar ? nil : file.rawValue }

  /// The buffer type of the device.
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
      capabilities: Self.capabilities(found)
    )
  }

  private static func capabilities(_ found: v4l2_capability) -> DeviceIdentity.Capabilities {
    // These are the capabilities of this node. `capabilities` covers all nodes of the device.
    let hasOwn = found.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let bits = hasOwn ? found.device_caps : found.capabilities
    var capabilities: DeviceIdentity.Capabilities = []
    if bits & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 { capabilities.insert(.capture) }
    if bits & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 { capabilities.insert(.planarCapture) }
    if bits & UInt32(V4L2_CAP_STREAMING) != 0 { capabilities.insert(.streaming) }
    return capabilities
  }

  /// Returns the text of a C character array without control characters.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return String(
        text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init)
      )
    }
  }
}
