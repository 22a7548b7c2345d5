// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

/// Rules about ioctl(2) requests.
extension PolicyRule {
  /// The rule that finds requests for hardware or kernel drivers.
  static let driverRequest = PolicyRule(
    "DR1201",
    "driver-request",
    .warning,
    summary: "ioctl is allowed for a request of a driver",
    justification:
      "Drivers are the part of the kernel with the most faults, and a session sees none of their devices. However, "
      + "an inherited descriptor would be sufficient to reach a driver.",
    remediation: "Remove the request."
  ) { linted in
    linted.rules(for: ["ioctl"]).compactMap { rule in
      guard let request = rule.onlyValue(ofArgument: 1), let driver = RequestFamily.driver(of: request) else {
        return nil
      }
      return hit(linted, rule, request, "of \(driver)")
    }
  }

  /// The rule that finds requests without a known name.
  static let unnamedRequest = PolicyRule(
    "DR1202",
    "unnamed-request",
    .warning,
    summary: "ioctl is allowed for an unnamed request",
    justification:
      "A reviewer cannot interpret a number, and different drivers use the same number for different requests.",
    remediation: "Use the name of the request, or justify the number."
  ) { linted in
    linted.rules(for: ["ioctl"]).compactMap { rule in
      guard let request = rule.onlyValue(ofArgument: 1), RequestFamily.driver(of: request) == nil,
        !RequestFamily.named.contains(request)
      else { return nil }
      return hit(linted, rule, request, "without a known name")
    }
  }

  /// Returns a hit about a request.
  private static func hit(
    _ linted: LintedPolicy,
    _ rule: SyscallRule,
    _ request: UInt32,
    _ words: String
  ) -> RuleHit {
    let number = "0x\(String(request, radix: 16))"
    let message = "\(linted.displayName(rule)) is allowed for the request \(number) \(words)"
    return RuleHit("ioctl \(number)", rule.origin, message)
  }
}

/// The families of ioctl(2) requests, identified by the type in the second byte.
enum RequestFamily {
  /// The requests with known names.
  static let named: Set<UInt32> = Set(
    (ConstantFamily.named("IoctlRequest")?.constants ?? []).compactMap { constant in
      constant.value(on: .native).flatMap(UInt32.init(exactly:))
    }
  )

  /// Returns the driver of a request, or `nil` for requests that apply to terminals, files or any descriptor.
  static func driver(of request: UInt32) -> String? { drivers[UInt8(truncatingIfNeeded: request >> 8)] }

  /// The drivers by type.
  private static let drivers: [UInt8: String] = [
    0x12: "block devices", 0x22: "SCSI generic devices", 0x24: "performance counters", 0x3E: "hypervisors",
    0x45: "input devices", 0x48: "HID and Bluetooth devices", 0x4B: "consoles", 0x4C: "loop devices",
    0x50: "FPGA and PPS devices", 0x53: "CD drives and SCSI", 0x55: "USB devices and uinput",
    0x56: "video devices and virtual terminals", 0x57: "watchdogs", 0x64: "graphics cards", 0x67: "gadgets",
    0x6B: "SPI devices", 0x70: "clocks", 0x89: "sockets and networks", 0xAB: "network block devices",
    0xAC: "RAM disks", 0xAE: "virtual machines", 0xAF: "vhost", 0xB3: "memory cards",
    0xB8: "DMA and remote processors",
    0xFD: "device mapper",
  ]
}
