// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import LinuxPrimitives

/// Opens cameras as frame sources.
package enum CameraOpener {
  /// The number of buffers, and thus of frames that can be in flight.
  static let buffers = 4

  /// Opens a camera for the exclusive use of this process; capture does not start yet.
  ///
  /// - Parameters:
  ///   - specification: A specification for ``CameraSpecification``.
  ///   - patience: The maximum time without a frame, in nanoseconds.
  ///   - opening: The opener of devices.
  /// - Returns: The source, with its format set.
  /// - Throws: The reason why the source has no frames, with the name of the device.
  package static func open(
    _ specification: String,
    patience: UInt64 = CameraDeviceSource.defaultTimeout,
    by opening: VideoDeviceOpener = .kernel
  ) throws(FrameSourceError) -> sending CameraDeviceSource {
    do throws(CameraFault) {
      let wanted = try CameraSpecification(specification)
      return try open(wanted, patience: patience, by: opening)
    } catch { throw FrameSourceError(specification, .camera(error)) }
  }

  /// Opens the camera of a parsed specification.
  private static func open(
    _ wanted: CameraSpecification,
    patience: UInt64,
    by opening: VideoDeviceOpener
  ) throws(CameraFault) -> sending CameraDeviceSource {
    let (device, identity) = try openCamera(wanted.path, by: opening)
    let formats = device.formats()
    guard let choice = FormatChoice.best(formats, for: wanted) else {
      let offered = formats.map(\.pixels.description)
      if let pixels = wanted.pixels { throw .noSuchFormat(wanted: pixels.description, offered: offered) }
      throw .noSupportedFormat(offered: offered)
    }
    let (picture, rate) = try configure(device, choice, wanted.path)
    // No other code has a reference: the device was opened in this method.
    nonisolated(unsafe) let source = CameraDeviceSource(
      device,
      name: wanted.path,
      title: identity.name,
      device: identity.uniqueID,
      picture: picture,
      rate: rate,
      converter: try FrameConverter(device.kernelDescriptor),
      patience: patience
    )
    return source
  }

  /// Sets the format and the rate of a device, requests its buffers, and returns the active format and rate.
  private static func configure(
    _ device: any VideoDevice,
    _ choice: FormatChoice,
    _ path: String
  ) throws(CameraFault) -> (ActiveCameraFormat, FrameRate) {
    do throws(SystemCallError) {
      let asked = ActiveCameraFormat(choice.pixels, width: choice.width, height: choice.height)
      let picture = try device.setActiveFormat(asked)
      let rate = try device.setRate(choice.rate) ?? device.rate() ?? choice.rate
      guard try device.requestBuffers(buffers) >= 2 else { throw SystemCallError("ioctl", errno: .noSpace) }
      guard PixelFormat.preferred.contains(picture.pixels), picture.width % 2 == 0, picture.height % 2 == 0
      else {
        throw SystemCallError("ioctl", errno: .invalidArgument)
      }
      return (picture, rate)
    } catch { throw device.fault(error, path) }
  }

  /// Opens a device that captures video.
  package static func openCamera(
    _ path: String,
    by opening: VideoDeviceOpener = .kernel
  ) throws(CameraFault) -> (device: any VideoDevice, identity: DeviceIdentity) {
    if let target = try PipeWireTarget(path) {
      let device = try PipeWireDevice(target)
      return (device, device.identity())
    }
    let device: any VideoDevice
    let identity: DeviceIdentity
    do throws(SystemCallError) { device = try opening.device(path) } catch {
      throw CameraFault(opening: error, path)
    }
    do throws(SystemCallError) { identity = try device.identity() } catch {
      // A device that is not a video device does not know this request.
      if [.unknownRequest, .invalidArgument].contains(error.errno) { throw .notACamera(name: "") }
      throw CameraFault(error, of: path)
    }
    let hasFrames = !identity.capabilities.isDisjoint(with: [.capture, .planarCapture])
    guard hasFrames, identity.capabilities.contains(.streaming) else {
      throw .notACamera(name: identity.name)
    }
    return (device, identity)
  }
}
