// SPDX-License-Identifier: Apache-2.0

extension NamespaceDiagnosis {
  /// Returns the cause for Ubuntu's restriction: an unconfined process may create a user namespace, but gets
  /// no capabilities in it.
  static func appArmor(_ facts: MachineFacts) -> Cause {
    Cause(
      "kernel.apparmor_restrict_unprivileged_userns is 1: AppArmor takes every capability away in user namespaces of "
        + "programs that have no profile which allows them",
      Fix(
        "Give this program such a profile; it changes nothing for any other",
        ["apparmor_parser --replace /etc/apparmor.d/darkroom"],
        file: .init(path: "/etc/apparmor.d/darkroom", text: profile(for: facts.executable))
      ),
      .sysctl(
        "kernel.apparmor_restrict_unprivileged_userns",
        0,
        "Or lift the restriction for every program of the machine"
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
