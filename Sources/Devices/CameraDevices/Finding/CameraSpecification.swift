// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import LinuxPrimitives

/// What a person types for a camera: `/dev/video0`, `/dev/video0:1280x720`, `/dev/video0:1280x720@30`, with a format behind it
/// `/dev/video0:1280x720@30,MJPG`; or what ``PipeWireTarget`` reads instead of the device, without a format.
package struct CameraSpecification: Hashable, Sendable {
  /// Where the device is, or what it is for PipeWire.
  package var path: String
  /// Pixels in a row; the nearest that the camera has is taken.
  package var width = 1280
  /// Rows.
  package var height = 720
  /// The rate; the nearest that the camera has at that size is taken.
  package var rate = FrameRate.standard

  /// The format; nil: the one that is converted with the least work.
  package var pixels: PixelFormat?

  /// A camera with the size and the rate that nobody has asked for.
  package init(path: String) { self.path = path }

  /// Reads one. Throws ``CameraFault/specification`` if what is behind the device is no size and rate.
  package init(_ text: String) throws(CameraFault) {
    guard let colon = text.lastIndex(of: ":"), !Self.isDevice(text), !Self.isWholeTarget(text, colon) else {
      self.init(path: text)
      return
    }
    self.init(path: String(text[..<colon]))
    let words = text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
    if words.count > 1 {
      guard words.count == 2, let pixels = PixelFormat(named: words[1]) else { throw .specification }
      self.pixels = pixels
    }
    let parts = words[0].split(separator: "@", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, size.count == 2, let width = size[0], let height = size[1],
      (1...65535).contains(width), (1...65535).contains(height)
    else { throw .specification }
    (self.width, self.height) = (width, height)
    guard parts.count == 2 else { return }
    let rate = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard rate.count <= 2, let top = rate[0], let bottom = rate.count == 2 ? rate[1] : 1,
      let frameRate = FrameRate(top, bottom)
    else { throw .specification }
    self.rate = frameRate
  }

  /// Whether a text names a camera, with or without a size: what lies where the kernel has its video devices, also by a
  /// link, or one of PipeWire's. A file of such a name is written `./NAME`.
  package static func names(_ text: String) -> Bool {
    if isDevice(text) || PipeWireTarget.names(text) { return true }
    guard let colon = text.lastIndex(of: ":") else { return false }
    return isDevice(String(text[..<colon]))
  }

  /// Whether a camera can be opened a first time and no second: its connection goes with it.
  package static func isOpenedOnce(_ text: String) -> Bool {
    text.hasPrefix("\(PipeWireTarget.prefix):\(PipeWireTarget.descriptorPrefix)")
  }

  /// Whether what is behind the last colon belongs to the name of a node and is no size.
  private static func isWholeTarget(_ text: String, _ colon: String.Index) -> Bool {
    guard PipeWireTarget.names(text) else { return false }
    let end = text[text.index(after: colon)...]
    return !(end.contains("x") && end.allSatisfy { $0.isNumber || "x@/".contains($0) })
  }

  /// Whether a path is one of a video device; it need not be there.
  private static func isDevice(_ path: String) -> Bool {
    guard path.hasPrefix("/") else { return false }
    let prefix = "\(CameraList.standardDirectory)/\(CameraList.prefix)"
    if !path.contains(":"), path.hasPrefix(prefix) || path.hasPrefix("\(CameraList.standardDirectory)/v4l/") {
      return true
    }
    // Names of /dev/v4l/by-path have colons.
    return ((try? FileSystem.realPath(path)) ?? "").hasPrefix(prefix)
  }
}
