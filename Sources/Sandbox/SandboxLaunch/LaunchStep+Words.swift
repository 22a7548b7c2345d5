// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

extension LaunchStep {
  /// A description of the step that follows "could not".
  var action: String {
    switch self {
    case .none: "start"
    case .allocateStacks: "get memory for the new processes"
    case .cloneSession: "make the session's namespaces"
    case .joinControlGroup: "join the session's control group"
    case .denySetgroups: "give up changing groups in the user namespace"
    case .mapUser: "map the user in the user namespace"
    case .mapGroup: "map the group in the user namespace"
    case .makeMountsPrivate: "separate the session's mounts from the host's"
    case .mountRoot: "mount the session's root"
    case .buildRoot: "put into the session's root"
    case .sealRoot: "make the session's root read-only"
    case .pivotRoot: "enter the session's root"
    case .detachHostRoot: "leave the host's root"
    case .setHostname: "set the session's host name"
    case .setClocks: "set the session's clocks"
    case .openProc: "open /proc"
    case .makeHelper: "make the process that helps the session init"
    case .makeNetwork: "make the session's network namespace"
    case .dropGroups: "give up the supplementary groups"
    case .setGroup: "change to the session's group"
    case .setUser: "change to the session's user"
    case .unshareUser: "make a user namespace"
    case .dropBoundingSet: "take from the bounding set capability"
    case .lockSecurebits: "lock the securebits"
    case .setNoNewPrivileges: "set no_new_privs"
    case .makeGate: "make what holds the extension back"
    case .watchChildren: "watch for the end of the extension"
    case .cloneExtension: "make the extension's process"
    case .placeInitDescriptors: "hand the session init its descriptors"
    case .dropInitCapabilities: "drop the session init's capabilities"
    case .enterPrepared: "enter what was prepared for the session"
    case .executeInit: "execute the session init"
    case .newTerminalSession: "leave the controlling terminal"
    case .newKeyring: "leave the host's keyring"
    case .resetScheduling: "reset the scheduling policy"
    case .hideMountTable: "hide the session's mount table"
    case .placeDescriptors: "hand over descriptor"
    case .setLimit: "limit"
    case .changeDirectory: "enter"
    case .openExecutable: "open"
    case .createRuleset: "create the Landlock ruleset"
    case .addRule: "allow beneath"
    case .restrictSelf: "enforce the Landlock ruleset"
    case .dropCapabilities: "drop the capabilities"
    case .waitForInit: "wait for the session init"
    case .clearSignalMask: "clear the signal mask"
    case .installFilter: "install the seccomp filter"
    case .sendListener: "send the listener for refused calls to the host"
    case .executeExtension: "execute"
    case .waitForExtension: "start the extension in time"
    case .adoptOrphans: "make the session init adopt what loses its parent"
    case .openChildren: "open the list of the session init's children"
    case .dieWithInit: "tie the extension to the session init"
    case .awaitTracer: "wait until the host traces the extension"
    case .stopProgram: "stop the program for a debugger before its first instruction"
    case .dieWithHost: "tie the session init to the host"
    case .resetPersonality: "reset the personality"
    case .awaitPermission: "wait until the host lets the program begin"
    }
  }

  /// Returns the subject of the step with this index, or `nil` if there is none.
  func subject(_ index: Int, _ plan: LaunchPlan) -> String? {
    switch self {
    case .buildRoot where plan.root.indices.contains(index): plan.root[index].displayPath
    case .addRule:
      plan.restrictions.landlock.flatMap { $0.rules.indices.contains(index) ? $0.rules[index].path : nil }
    case .setLimit where plan.limits.resources.indices.contains(index):
      "\(plan.limits.resources[index].resource) to \(plan.limits.resources[index].hard)"
    case .dropBoundingSet, .placeDescriptors: "\(index)"
    case .changeDirectory: plan.program.workingDirectory
    case .openExecutable, .executeExtension: plan.program.path
    default: nil
    }
  }

  /// Returns the fix for an error, or `nil` if none is known.
  func fix(_ errno: Errno, _ plan: LaunchPlan) -> String? {
    if isNamespaceRefusal(errno, plan.identity) { return NamespaceRefusal.fix(errno) }
    return switch (self, errno) {
    case (.unshareUser, .notPermitted): NamespaceRefusal.reason
    case (.unshareUser, .noSpace): NamespaceRefusal.space
    case (.openChildren, _): "a restricted session needs a kernel with CONFIG_PROC_CHILDREN, and /proc"
    case (.joinControlGroup, _):
      "the subtree of control groups is not wholly this user's: set DARKROOM_CGROUP to one that is, or start the host in "
        + "one (systemd-run --user --scope -p Delegate=yes)"
    case (.executeExtension, .noSuchFile) where plan.program.execution != .path:
      "the loader that the program names is not in the sandbox, or it is a script, which cannot be executed once: link it "
        + "statically, or name the script's interpreter as the program"
    case (.executeExtension, .noSuchFile):
      "the program, or the interpreter that it names, is not in the sandbox: link it statically, or list what it "
        + "needs under readOnly in its policy"
    case (.executeExtension, .permissionDenied):
      "the program or its interpreter is not executable, or lies where the policy allows no execution"
    case (.executeExtension, Errno(rawValue: 8)):
      "it is no program for this machine; a script needs a first line that names its interpreter (#!/bin/sh)"
    case (.createRuleset, _): "this kernel has no Landlock: see 'darkroom doctor'"
    case (.installFilter, .busy):
      "another program supervises this one's system calls already, and the kernel allows no second (seccomp(2), EBUSY)"
    case (.stopProgram, .notPermitted):
      "this host may not trace the process that it has made: kernel.yama.ptrace_scope is 3, or something that the host "
        + "runs in forbids ptrace(2), as many containers do; run it where that is allowed, or without --debug"
    case (.sendListener, .noSuchProcess):
      "something outside of the sandbox has killed its process before the program began: launch again"
    case (.setLimit, .notPermitted): "this user's own hard limit is lower: raise it, or lower the policy's"
    case (.buildRoot, .noSuchFile):
      "it does not exist on this machine: mark it optional in the policy, or install it"
    default: nil
    }
  }
}
