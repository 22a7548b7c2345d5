// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import SandboxPolicy
import SessionStore
import Testing

/// Diagnosis of launch failures from simulated machine facts.
@Suite struct LaunchDiagnosisTests {
  /// A simulated machine with an obstacle, its failure, and the expected reason and fix.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let obstacle: LaunchObstacle
    let machine: @Sendable (inout MachineFacts) -> Void
    let reason: String
    let command: String

    init(
      _ name: String,
      _ obstacle: LaunchObstacle,
      _ reason: String,
      _ command: String,
      _ machine: @escaping @Sendable (inout MachineFacts) -> Void
    ) {
      testDescription = name
      self.obstacle = obstacle
      self.machine = machine
      self.reason = reason
      self.command = command
    }
  }

  private static func step(_ name: String, _ layer: Layer, _ errno: Errno) -> LaunchObstacle {
    .step(.init(name, layer, errno, sentence: "could not do it"))
  }
  private static func clone(_ errno: Errno) -> LaunchObstacle { step("cloneSession", .userNamespace, errno) }

  static let cases = [
    Case(
      "no user namespaces",
      clone(.noSpace),
      "user.max_user_namespaces is 0",
      "sysctl -w user.max_user_namespaces="
    ) { $0.namespaceLimits = ["user": 0, "net": 5] },
    Case("no network namespaces", clone(.noSpace), "user.max_net_namespaces is 0", "user.max_net_namespaces=")
    {
      $0.namespaceLimits = ["user": 9, "net": 0]
    },
    Case("a limit of an outer namespace", clone(.noSpace), "a limit on namespaces is reached", "lsns") {
      $0.namespaceLimits = ["user": 9]
    },
    Case(
      "Debian's switch",
      clone(.notPermitted),
      "kernel.unprivileged_userns_clone is 0",
      "unprivileged_userns_clone=1"
    ) { $0.unprivilegedUserNamespaces = 0 },
    Case(
      "Ubuntu's AppArmor",
      clone(.notPermitted),
      "apparmor_restrict_unprivileged_userns is 1",
      "apparmor_parser"
    ) {
      $0.appArmorRestriction = 1
    },
    Case(
      "Ubuntu's AppArmor lets the namespace be and takes its capabilities",
      step("makeMountsPrivate", .mountNamespace, .permissionDenied),
      "apparmor_restrict_unprivileged_userns is 1",
      "apparmor_restrict_unprivileged_userns=0"
    ) { $0.appArmorRestriction = 1 },
    Case("a chroot", clone(.notPermitted), "in a chroot", "pivot_root") { $0.isInChroot = true },
    Case(
      "a chroot of root",
      step("makeMountsPrivate", .mountNamespace, .invalidArgument),
      "in a chroot",
      "pivot_root"
    ) { $0.isInChroot = true },
    Case(
      "a chroot of root on a mount point",
      step("unshareUser", .userNamespace, .notPermitted),
      "in a chroot",
      "pivot_root"
    ) {
      $0.isInChroot = true
      $0.identity = .other(user: 7, group: 7)
      $0.capabilities = .max
    },
    Case("a chroot that cannot be seen", clone(.notPermitted), "refuses them in a chroot", "pivot_root") {
      $0.namespaceLimits = ["user": 9]
    },
    Case("a container's filter", clone(.notPermitted), "the container (docker)", "seccomp=unconfined") {
      $0.filter.count = 1
      $0.filter.container = "docker"
    },
    Case(
      "a container's filter that knows no clone3",
      clone(.notImplemented),
      "2 seccomp filters",
      "seccomp=unconfined"
    ) {
      $0.filter.count = 2
    },
    Case("root without power", clone(.notPermitted), "no CAP_SYS_ADMIN", "--cap-add SYS_ADMIN") {
      $0.user = 0
      $0.filter.container = "podman"
    },
    Case("a covered /proc of root", step("buildRoot", .root, .notPermitted), "/proc/keys", "unmask=ALL") {
      $0.user = 0
      $0.maskedProcPaths = ["/proc/keys"]
    },
    Case("SELinux", clone(.permissionDenied), "staff_t", "setsebool -P staff_use_userns on") {
      $0.seLinux = .init(isEnforcing: true, context: "staff_t", booleans: ["staff_use_userns": false])
    },
    Case("a kernel without a kind", clone(.invalidArgument), "namespaces of the kind 'net'", "") {
      $0.namespaces.remove("net")
    },
    Case("a covered /proc", step("buildRoot", .root, .notPermitted), "/proc/kcore", "systempaths=unconfined")
    {
      $0.maskedProcPaths = ["/proc/kcore", "/proc/keys"]
    },
    Case("no /proc", step("openProc", .root, .noSuchFile), "/proc is not mounted", "mount -t proc") {
      $0.hasProc = false
    },
    Case(
      "an unreadable /usr",
      step("buildRoot", .root, .permissionDenied),
      "this user cannot read /usr",
      "chmod 755 /usr"
    ) {
      $0.isUsrReadable = false
    },
    Case("Landlock not built in", .plan(.missingLayer(.landlock)), "built without Landlock", "") {
      $0.landlock = .refused(.notImplemented)
    },
    Case(
      "Landlock refused by a filter",
      .plan(.missingLayer(.landlock)),
      "the unit cam.service refuses landlock_create_ruleset (EPERM)",
      ""
    ) {
      $0.landlock = .refused(.notPermitted)
      $0.filter.count = 1
      $0.filter.unit = "cam.service"
    },
    Case(
      "a service's filter",
      clone(.notPermitted),
      "the unit cam.service",
      "systemctl edit --full cam.service"
    ) {
      $0.filter.count = 1
      $0.filter.unit = "cam.service"
    },
    Case(
      "a filter that refuses any call of a launch",
      step("placeDescriptors", .descriptors, .notImplemented),
      "a seccomp filter",
      "seccomp=unconfined"
    ) { $0.filter.count = 1 },
    Case(
      "Landlock not switched on",
      .plan(.missingLayer(.landlock)),
      "not in the list",
      "lsm=landlock,yama,bpf"
    ) {
      $0.landlock = .refused(.notSupported)
      $0.securityModules = ["yama", "bpf"]
    },
    Case(
      "Landlock not switched on, and no list of what is",
      .plan(.missingLayer(.landlock)),
      "not in the list",
      "apparmor"
    ) { $0.landlock = .refused(.notSupported) },
    Case(
      "a kernel without clocks for sessions",
      .plan(.missingLayer(.timeNamespace)),
      "time namespaces are unavailable",
      ""
    ) {
      $0.kernel = "6.1.0"
    },
    Case("sixteen rulesets", step("restrictSelf", .landlock, Errno(rawValue: 7)), "16 Landlock rulesets", "")
    { _ in },
    Case(
      "a supervisor",
      step("installFilter", .seccomp, Errno(rawValue: 16)),
      "another supervisor receives the seccomp user notifications",
      "seccomp=unconfined"
    ) { _ in },
    Case(
      "no filters",
      step("installFilter", .seccomp, .invalidArgument),
      "without seccomp filters",
      ""
    ) {
      $0.filterActions = nil
    },
    Case(
      "filters without listeners",
      step("installFilter", .seccomp, .invalidArgument),
      "lack the actions user_notif",
      ""
    ) {
      $0.filterActions = ["kill_process", "errno"]
    },
    Case(
      "a low hard limit",
      .plan(.limitAboveHost(.addressSpace, wanted: 8 << 30, maximum: 1 << 30)),
      "'addressSpace' is 8589934592",
      "ulimit -H -v 8388608"
    ) { _ in },
    Case(
      "few descriptors",
      step("placeDescriptors", .descriptors, .invalidArgument),
      "40 descriptors",
      "ulimit -n"
    ) {
      $0.descriptorSoftLimit = 40
    },
    Case("locked securebits", step("lockSecurebits", .capabilities, .notPermitted), "0x2f", "setpriv") {
      $0.securebits = 0x2f
    },
    Case("a missing path", .plan(.missingPath("/opt/x")), "does not exist", "") { _ in },
  ]

  @Test(arguments: cases)
  func `finds the reason and the fix in the machine facts`(example: Case) throws {
    var facts = MachineFacts()
    example.machine(&facts)
    let causes = LaunchDiagnosis.causes(of: example.obstacle, facts)
    let cause = try #require(causes.first { $0.reason.contains(example.reason) }, "\(causes)")
    let offers = cause.fixes.flatMap(\.commands)
    #expect(example.command.isEmpty || offers.contains { $0.contains(example.command) }, "\(offers)")
    #expect(!cause.fixes.isEmpty)
  }

  @Test(arguments: cases)
  func `reports no cause if nothing obstructs the launch`(example: Case) {
    guard case .step(let step) = example.obstacle, step.errno == .notPermitted, step.name == "cloneSession"
    else {
      return
    }
    let causes = LaunchDiagnosis.causes(of: example.obstacle, MachineFacts())
    #expect(causes == [Cause("could not do it")])
  }

  @Test func `names what a container lacks, and the settings of each runtime that grant it`() throws {
    var facts = MachineFacts()
    #expect(ContainerDiagnosis.finding(facts) == nil)
    facts.filter.container = "docker"
    #expect(ContainerDiagnosis.finding(facts)?.state == .present)
    facts.filter.count = 1
    facts.maskedProcPaths = ["/proc/kcore", "/proc/keys"]
    facts.user = 0
    let finding = try #require(ContainerDiagnosis.finding(facts))
    #expect(finding.state == .advice)
    for words in ["a seccomp filter", "2 hidden parts of /proc", "CAP_SYS_ADMIN", "'container'"] {
      #expect(finding.detail.contains(words), "\(finding)")
    }
    let fixes = finding.fixes.flatMap { [$0.sentence] + $0.commands }
    for words in ["systempaths=unconfined", "procMount: Unmasked", "hostUsers: false", "--policy container"] {
      #expect(fixes.contains { $0.contains(words) }, "\(fixes)")
    }
  }

  @Test func `reports both of two causes`() {
    var facts = MachineFacts()
    facts.unprivilegedUserNamespaces = 0
    facts.appArmorRestriction = 1
    #expect(LaunchDiagnosis.causes(of: Self.clone(.notPermitted), facts).count == 2)
  }

  @Test func `the AppArmor profile contains the path of the program`() throws {
    var facts = MachineFacts()
    facts.appArmorRestriction = 1
    facts.executable = "/opt/dark room/darkroom"
    let causes = LaunchDiagnosis.causes(of: Self.clone(.notPermitted), facts)
    let file = try #require(causes.first?.fixes.first?.file)
    #expect(file.path == "/etc/apparmor.d/darkroom")
    #expect(
      file.text.contains("profile darkroom \"/opt/dark room/darkroom\" flags=(unconfined) {\n  userns,\n")
    )
  }
}
