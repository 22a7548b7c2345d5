// SPDX-License-Identifier: Apache-2.0

extension NamespaceDiagnosis {
  /// Ubuntu lets an unconfined program make a user namespace, and gives it no capability there.
  static func appArmor(_ facts: MachineFacts) -> Cause {
    Cause(
      "kernel.apparmor_restrict_unprivileged_userns is 1: AppArmor takes every capability away in user namespaces of "
        + "programs that have no profile which allows them",
      Mend(
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

  /// A profile that confines nothing and allows user namespaces. A path with other characters is quoted.
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
