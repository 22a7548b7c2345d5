// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Testing

@Suite struct SandboxLauncherTests {
  @Test func `first`() throws {
    let out = try Pipe.make()
    let null = try FileSystem.open("/dev/null", .readWrite)
    let ro: RootItem.MountAttributes = [.readOnly, .noSetUserID, .noDevices]
    let plan = LaunchPlan(
      identity: CurrentProcess.effectiveUserID == 0 ? .other(user: 0x7000_0001, group: 0x7000_0001) : .caller,
      namespaces: .all,
      hostname: "darkroom",
      root: [
        .directory("usr"), .bind(source: "/usr", target: "usr", ro), .symbolicLink("bin", to: "usr/bin"),
        .symbolicLink("lib", to: "usr/lib"), .symbolicLink("lib64", to: "usr/lib64"), .directory("proc"),
        .processes("proc", options: "subset=pid,hidepid=invisible"), .directory("container"),
        .scratch(
          "container",
          options: "mode=700,size=1m,uid=1879048193,gid=1879048193",
          [.noSetUserID, .noDevices]
        ),
      ],
      descriptors: [null.rawValue, out.writeEnd.rawValue, out.writeEnd.rawValue],
      limits: [.init(.descriptors, 64)],
      landlock: nil,
      filter: [],
      lastCapability: 40,
      workingDirectory: "/",
      executable: "/bin/sh",
      execution: .path,
      arguments: [
        "sh", "-c",
        "id; ls -la / /container /proc/self/fd; cat /proc/self/status /proc/self/mountinfo; exit 7",
      ],
      environment: [.init("PATH", "/usr/bin:/bin")]
    )
    let process = try SandboxLauncher.launch(plan)
    print(process.timings.map { "\($0.name) \($0.nanoseconds / 1000)" })
    let ending = try process.reap()
    print(ending)
    let end = out.takeReadEnd()
    print(String(decoding: try end.readAll(limit: 1 << 20) ?? [], as: UTF8.self))
    #expect(ending.status == .exited(7))
  }
}
