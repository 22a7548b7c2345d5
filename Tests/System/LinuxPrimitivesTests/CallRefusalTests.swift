// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxPrimitives

@Suite struct CallRefusalTests {
  private static let calls = [
    RefusedCall("syncfs", .error(.notImplemented)), RefusedCall("chmod", .error(.notPermitted)),
  ]

  private func filter(unit: String? = nil, container: String? = nil) -> InheritedFilter {
    var filter = InheritedFilter()
    filter.count = 1
    (filter.unit, filter.container) = (unit, container)
    return filter
  }

  @Test func `reports no refused call if no inherited filter exists`() {
    #expect(InheritedFilter.current.count > 0 || RefusedCalls.current == RefusedCalls())
  }

  @Test func `reports the systemd unit and the line that allows the calls`() {
    let refusal = CallRefusal(Self.calls, by: filter(unit: "cam.service", container: "podman"))
    #expect(
      "\(refusal)"
        == "the system call filter of the unit cam.service refuses syncfs (ENOSYS), chmod (EPERM), without which content "
        + "cannot be migrated or erased; add SystemCallFilter=syncfs chmod to that unit (systemctl edit cam.service)"
    )
  }

  @Test func `reports the seccomp profile for a container and both fixes if the origin is unknown`() {
    let container = CallRefusal(Self.calls, by: filter(container: "podman")).description
    #expect(container.contains("this container (podman)") && container.contains("seccomp=PROFILE.json"))
    let unknown = CallRefusal(Self.calls, by: filter()).description
    #expect(unknown.contains("SystemCallFilter=syncfs chmod") && unknown.contains("seccomp=PROFILE.json"))
  }

  @Test func `reports a call without a filter as missing in the kernel`() {
    let old = CallRefusal([Self.calls[0]], by: InheritedFilter(), kernel: "2.6.32").description
    #expect(old.contains("Linux 2.6.32 does not have syncfs (ENOSYS)") && old.contains("run Linux 6.1"))
    let other = CallRefusal(Self.calls, by: InheritedFilter()).description
    #expect(other.contains("an unknown restriction of this process refuses"))
  }

  @Test func `lists the first of many calls and suggests allowing all`() {
    let calls = (1...6).map { RefusedCall("call\($0)", .killed) }
    let text = CallRefusal(calls, by: filter()).description
    #expect(text.contains("call4 (terminates the process) and 2 more system calls"))
    #expect(text.contains("SystemCallFilter=call1 call2 call3 call4 call5 call6"))
  }

  @Test func `counts filters, including on a kernel that reports only the mode`() {
    #expect(InheritedFilter.count(inStatus: "Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t3\n") == 3)
    #expect(InheritedFilter.count(inStatus: "Seccomp:\t2\n") == 1)
    #expect(InheritedFilter.count(inStatus: "Seccomp:\t0\nSeccomp_filters:\t0\n") == 0)
    #expect(InheritedFilter.count(inStatus: "") == 0)
  }

  @Test func `finds the service unit of the process`() {
    #expect(InheritedFilter.unit(inGroups: "0::/system.slice/cam.service\n") == "cam.service")
    let old = "12:pids:/\n1:name=systemd:/system.slice/cam.service\n0::/system.slice/cam.service\n"
    #expect(InheritedFilter.unit(inGroups: old) == "cam.service")
    let terminal = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-terminal.scope\n"
    #expect(InheritedFilter.unit(inGroups: terminal) == nil)
    #expect(InheritedFilter.unit(inGroups: "0::/\n") == nil)
  }
}
