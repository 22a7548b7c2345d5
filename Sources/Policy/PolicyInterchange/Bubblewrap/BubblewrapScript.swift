// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A writer of shell scripts that run a program under bwrap(1), in a sandbox as close to a session's as bwrap
/// allows.
package enum BubblewrapScript {
  /// Returns the script for a policy, and the protections of a session that the script lacks.
  package static func write(_ policy: ResolvedPolicy) -> (text: String, losses: [InterchangeLoss]) {
    let filter = "\(policy.name).bpf"
    // Every POSIX shell can redirect descriptors up to 9.
    let options = namespaces + ["--cap-drop ALL"] + environment + root(policy)
    let lines =
      [
        "#!/bin/sh",
        "# Policy \(policy.name), written by Darkroom for bubblewrap 0.8.0.",
        "# Filter: darkroom policy export bpf \(policy.name) --output \(filter)",
        "# Usage: sh \(policy.name).sh SESSION-DIRECTORY PROGRAM [ARGUMENT...]",
        "session=${1:?name the session directory}",
        "shift",
        "exec prlimit \(limits(policy.limits).joined(separator: " ")) \\",
        "bwrap \\",
      ] + options.map { "  \($0) \\" } + ["  --seccomp 9 -- \"$@\" 9<\(filter)"]
    return (lines.joined(separator: "\n") + "\n", losses(policy))
  }

  /// The options that unshare all namespaces and terminate the sandbox together with its parent process.
  private static let namespaces = [
    "--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup",
    "--uid 1000 --gid 1000 --hostname darkroom --die-with-parent --new-session",
  ]

  /// The options that set the environment variables whose values are known before a session starts.
  private static let environment = [
    "--clearenv", "--setenv PATH /usr/local/bin:/usr/bin:/bin", "--setenv LANG C.UTF-8",
    "--setenv USER extension --setenv LOGNAME extension",
    "--setenv HOME /container/home --setenv TMPDIR /container/tmp",
    "--setenv DARKROOM_SESSION_DIR /session --setenv DARKROOM_CONTAINER_DIR /container",
  ]

  /// Returns the options that build the root. bwrap's root is writable until `--remount-ro /`.
  private static func root(_ policy: ResolvedPolicy) -> [String] {
    var options = policy.readOnly.map { path in
      let location = quoted(path.path)
      return "--ro-bind\(path.presence == .optional ? "-try" : "") \(location) \(location)"
    }
    if policy.readOnly.contains(where: { $0.path == "/usr" }) {
      options.append(
        ["bin", "sbin", "lib", "lib64"].map { "--symlink usr/\($0) /\($0)" }.joined(separator: " ")
      )
    }
    options += policy.devices.map { "--dev-bind \(quoted($0.value)) \(quoted($0.value))" }
    return options + [
      "--symlink /proc/self/fd /dev/fd --symlink /container/shm /dev/shm",
      "--proc /proc --bind \"$session\" /session",
      "--perms 0700 --size \(policy.scratchBytes) --tmpfs /container",
      "--dir /container/home --dir /container/tmp --dir /container/shm",
      "--symlink /container/tmp /tmp --symlink /container/tmp /var/tmp", "--remount-ro / --chdir /session",
    ]
  }

  /// Returns the limits as options of prlimit(1).
  private static func limits(_ limits: PolicyLimits) -> [String] {
    [
      "--core=0", "--cpu=\(limits.cpuTime)", "--fsize=\(limits.fileSize)", "--nproc=\(limits.processes)",
      "--nofile=\(limits.descriptors)", "--as=\(limits.addressSpace)",
    ]
  }

  /// Returns a path quoted as one word of a shell command.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+": true
      default: false
      }
    }
    return isPlain
      ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }

  /// Returns the protections of a session that bwrap lacks.
  private static func losses(_ policy: ResolvedPolicy) -> [InterchangeLoss] {
    let missing = [
      ("landlock", "bwrap does not use Landlock: only the root protects files"),
      (
        "timeNamespace",
        "bwrap creates no time namespace: the program sees how long the machine has been running"
      ),
      (
        "controlGroup",
        "the limit for the memory of all processes requires a control group, which bwrap does not create"
      ),
      ("limits", "the session's files, bytes, output and time are not limited"),
      ("root", "user names and the app context are not visible, but all of /proc is"),
      ("seccomp", "refused calls are not reported"),
    ]
    var losses = missing.map { InterchangeLoss($0.0, .outsideFilter($0.1), .weaker) }
    if policy.execute == .once {
      let text =
        "bwrap starts the program by execve, which this policy's filter refuses; to start programs with bwrap, set "
        + "\"execute\" to \"any\""
      losses.append(InterchangeLoss("execute", .execution(text), .stricter))
    }
    return losses
  }
}
