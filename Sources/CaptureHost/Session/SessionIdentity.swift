// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// Who extensions are outside their sandbox.
enum SessionIdentity {
  /// The user that extensions are when the host is root: one that no system gives to anybody.
  ///
  /// Systems give people users below 60000, services below 65536, and containers those from 524288 to 1879048191
  /// (systemd's "Users, Groups, UIDs and GIDs"); this is the first above them.
  private static let nobodyElse: UInt32 = 1_879_048_192

  /// Root gives extensions a user that is nobody else; anybody else can only give what they are.
  static var identity: LaunchPlan.Identity {
    CurrentProcess.effectiveUserID == 0 ? .other(user: nobodyElse, group: nobodyElse) : .caller
  }

  /// The owner of the session content directory while the extension runs; nil: the host itself.
  static var contentOwner: ContentOwner? {
    guard case .other(let user, let group) = identity else { return nil }
    return ContentOwner(user: user, group: group)
  }
}
