// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import LinuxPrimitives

/// The specification of a camera, as the user types it: `/dev/video0`, `/dev/video0:1280x720`,
/// `/dev/video0:1280x720@30`, or with a format `/dev/video0:1280x720@30,MJPG`. Instead of the device, it can
/// contain a target for ``PipeWireTarget``, then without a format.
package struct CameraSpecification: Hashable, Sendable {
  /// The path of the device, or the PipeWire target.
  package var path: String
  /// The width in pixels; the nearest supported size is used.
  package var width = 1280
  /// The height in pixels.
  package var height = 720
  /// The rate; the nearest supported rate at that size is used.
  package var rate = FrameRate.standard

  /// The format, or `nil` for the format with the cheapest conversion.
  package var pixels: PixelFormat?

  /// Creates the specification of a camera with the default size and rate.
  package init(path: String) { self.path = path }

  /// Parses a specification. Throws ``CameraFault/specification`` if the part after the device is not a size
  /// and rate.
  package init(_ text: String) throws(CameraFault) {
    guard let colon = text.lastIndex(of: ":"), !Self.isDevice(text), !Self.isNodeName(text, colon) else {
      self.init(path: text)
      return
    }
    self.init(path: String(text[..<colon]))
    let words = text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
    if words.count > 1 {
      guard words.count == 2, let pixels = PixelFormat(named: words[1]) else { throw .invalidSpecification }
      self.pixels = pixels
    }
    let parts = words[0].split(separator: "@", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, size.count == 2, let width = size[0], let height = size[1],
      (1...65535).contains(width), (1...65535).contains(height)
    else { throw .invalidSpecification }
    (self.width, self.height) = (width, height)
    guard parts.count == 2 else { return }
    let rate = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard rate.count <= 2, let top = rate[0], let bottom = rate.count == 2 ? rate[1] : 1,
      let frameRate = FrameRate(top, bottom)
    else { throw .invalidSpecification }
    self.rate = frameRate
  }

  /// Whether a text specifies a camera, with or without a size: a path among the kernel's video devices, a
  /// link to one, or a PipeWire target. A file with such a name is specified as `./NAME`.
  package static func isCameraName(_ text: String) -> Bool {
    if isDevice(text) || PipeWireTarget.isPipeWireName(text) { return true }
    guard let colon = text.lastIndex(of: ":") else { return false }
    return isDevice(String(text[..<colon]))
  }

  /// Whether a camera can be opened only once, because its connection closes with it.
  package static func isSingleUse(_ text: String) -> Bool {
    text.hasPrefix("\(PipeWireTarget.prefix):\(PipeWireTarget.descriptorPrefix)")
  }

  /// Whether the part after the last colon belongs to a node name and is not a size.
  private static func isNodeName(_ text: String, _ colon: String.Index) -> Bool {
    guard PipeWireTarget.isPipeWireName(text) else { return false }
    let end = text[text.index(after: colon)...]
    return !(end.contains("x") && end.allSatisfy { $0.isNumber || "x@/".contains($0) })
  }

  /// Whether a path is that of a video device; the device need not exist.
  private static func isDevice(_ path: String) -> Bool {
    guard path.hasPrefix("/") else { return false }
    let prefix = "\(CameraList.standardDirectory)/\(CameraList.prefix)"
    if !path.contains(":"), path.hasPrefix(prefix) || path.hasPrefix("\(CameraList.standardDirectory)/v4l/") {
      return true
    }
    // Names in /dev/v4l/by-path contain colons.
    return ((try? FileSystem.realPath(path)) ?? "").hasPrefix(prefix)
  }
}
