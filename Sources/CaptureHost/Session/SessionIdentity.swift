// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch
internal import SessionStore

/// Who extensions are outside their sandbox.
package enum SessionIdentity {
  /// The users that extensions are when the host is root: such as no system gives to anybody.
  ///
  /// Systems give people users below 60000, services below 65536, and containers those from 524288 to 1879048191
  /// (systemd's "Users, Groups, UIDs and GIDs"); these are the first above them.
  private static let nobodyElse: ClosedRange<UInt32> = 1_879_048_192...1_879_113_727

  /// The identity for one session.
  ///
  /// Root gives each session a user of its own, by lot: what the kernel counts by user (inotify(7), keyrings(7), pending
  /// signals) one session cannot use up for another, or for anybody. Anybody else can only give what they are.
  package static func forOneSession() -> LaunchPlan.Identity {
    guard CurrentProcess.effectiveUserID == 0 else { return .caller }
    let user = UInt32.random(in: nobodyElse)
    return .other(user: user, group: user)
  }
}

extension LaunchPlan.Identity {
  /// The owner of the session content directory while the extension runs; nil: the host itself.
  var contentOwner: ContentOwner? {
    guard case .other(let user, let group) = self else { return nil }
    return ContentOwner(user: user, group: group)
  }
}
