// SPDX-License-Identifier: Apache-2.0

extension NamespaceDiagnosis {
  /// Returns the cause for Ubuntu's restriction: an unconfined process may create a user namespace, but gets
  /// no capabilities in it.
  static func appArmor(_ facts: MachineFacts) -> Cause {
    Cause(
      "kernel.apparmor_restrict_unprivileged_userns is 1: AppArmor removes all capabilities in user namespaces of "
        + "programs whose profile does not allow user namespaces",
      Fix(
        "Install such a profile for this program; other programs are not affected",
        ["apparmor_parser --replace /etc/apparmor.d/darkroom"],
        file: .init(path: "/etc/apparmor.d/darkroom", text: profile(for: facts.executable))
      ),
      .sysctl(
        "kernel.apparmor_restrict_unprivileged_userns",
        0,
        "Or disable the restriction for all programs"
      )
    )
  }

  /// Returns an AppArmor profile that confines nothing and allows user namespaces. The path is quoted because
  /// it may contain special characters.
  static func profile(for executable: String) -> String {
    """
    abi <abi/4.0>,
    include <tunables/global>

    profile darkroom "\(executable)" flags=(unconfined) {
      userns,
      include if exists <local/darkroom>
    }

    """
  }
}
