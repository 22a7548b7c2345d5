// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A failure of a camera device.
package enum CameraFault: Error, Hashable, Sendable {
  /// The device does not exist.
  case noSuchDevice
  /// The device does not capture video. `name` is the name that the device reports, or empty.
  case notACamera(name: String)
  /// This user has no permission to open the device.
  case permissionDenied(SystemCallError)
  /// Another process is using the device.
  case cameraBusy(holders: [CameraHolder])
  /// None of the device's formats can be converted. The associated value lists them.
  case noSupportedFormat(offered: [String])
  /// The device does not have the requested format, or the format cannot be converted.
  case noSuchFormat(wanted: String, offered: [String])
  /// The specification is not a valid device, size and rate.
  case invalidSpecification
  /// The device or its driver was removed.
  case unplugged
  /// A request to the device failed.
  case failed(SystemCallError)
  /// The device delivered no frame for `seconds`, even after a restart.
  case noFrames(seconds: Int)
  /// The size or format of the frames changed, and the memory of the session was not laid out for the new
  /// one.
  case formatChanged(from: String, to: String)
  /// This number of consecutive frames could not be converted. `message` is the library's message for the
  /// last one.
  case corruptFrames(frames: Int, message: String)
  /// The conversion library is unavailable.
  case converterUnavailable
  /// PipeWire failed.
  case pipeWire(PipeWireFault)
}

/// A process that has a camera device open.
package struct CameraHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process ID.
  package var process: Int32
  /// The name of the program, as in `/proc/PID/comm`.
  package var program: String

  /// Creates a holder from its parts.
  package init(process: Int32, program: String) {
    self.process = process
    self.program = program
  }

  /// For example `cheese (4711)`.
  package var description: String { "\(program) (\(process))" }
}

extension CameraFault: CustomStringConvertible {
  /// The failure, with a fix.
  package var description: String {
    switch self {
    case .noSuchDevice: "the device does not exist; 'darkroom camera list' lists the cameras"
    case .notACamera(let name):
      "\(name.isEmpty ? "the device" : name) does not capture video; 'darkroom camera list' lists the cameras"
    case .permissionDenied(let error):
      "this user may not open the camera (\(error.errno)); run 'sudo usermod -aG video USER' and log in again, or let a udev rule "
        + "grant access to the user at the machine (TAG+=\"uaccess\")"
    case .cameraBusy(let holders): Self.busy(holders)
    case .noSupportedFormat(let offered):
      "none of the camera's formats can be converted (\(offered.joined(separator: ", "))); name another camera"
    case .noSuchFormat(let wanted, let offered):
      "the camera has no format \(wanted) that can be converted; use one of \(offered.joined(separator: ", "))"
    case .invalidSpecification:
      "invalid camera; use DEVICE, DEVICE:1280x720 or DEVICE:1280x720@30 (at most 1000 frames per second), optionally "
        + "followed by ,FORMAT (see 'darkroom camera show'), "
        + "where DEVICE can also be pipewire, pipewire:NODE, pipewire:fd=N or pipewire:fd=N/NODE"
    case .unplugged:
      "the camera or its driver was removed; plug in the camera and start a new session"
    case .failed(let error): "the camera has failed: \(error); unplug it and plug it in again"
    case .noFrames(let seconds):
      "the camera delivered no frame for \(seconds) seconds, even after a restart; unplug it and plug it in again, or see "
        + "'dmesg'"
    case .formatChanged(let old, let new):
      "the format of the frames has changed from \(old) to \(new); start a new session"
    case .corruptFrames(let frames, let message):
      "\(frames) consecutive frames were damaged (\(message)); try another cable or a smaller size"
    case .converterUnavailable:
      "libv4lconvert.so.0, which converts the frames, cannot be loaded; install libv4lconvert0"
    case .pipeWire(let fault): "\(fault)"
    }
  }

  /// The message for a camera that another process is using.
  private static func busy(_ holders: [CameraHolder]) -> String {
    guard !holders.isEmpty else {
      return
        "a process that this user cannot inspect uses the camera; find it with 'sudo fuser -v /dev/video*' and stop it"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    return "the camera is in use by \(names); stop that process, or name another camera"
  }
}
