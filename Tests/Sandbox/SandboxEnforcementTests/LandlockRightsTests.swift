// SPDX-License-Identifier: Apache-2.0

import SandboxEnforcement
import Testing

@Suite struct LandlockRightsTests {
  /// The masks that the kernel accepts, from `security/landlock/limits.h` of each release.
  @Test(arguments: [(0, 0), (1, 0x1FFF), (2, 0x3FFF), (3, 0x7FFF), (4, 0x7FFF), (5, 0xFFFF), (7, 0xFFFF)])
  func `requests all rights that the Landlock ABI of the kernel supports and no others`(
    abi: Int,
    mask: UInt64
  ) {
    #expect(LandlockRights.all(abi: abi).rawValue == mask)
    #expect(LandlockNetworkRights.all(abi: abi).rawValue == (abi >= 4 ? 3 : 0))
    #expect(LandlockScopes.all(abi: abi).rawValue == (abi >= 6 ? 3 : 0))
  }

  @Test(arguments: 1...7)
  func `a session can create regular files and directories and execute none`(abi: Int) {
    let forbidden: LandlockRights = [
      .execute, .makeSymbolicLink, .makeCharacterDevice, .makeBlockDevice, .makeSocket, .makeFIFO,
    ]
    #expect(LandlockRights.session(abi: abi).isDisjoint(with: forbidden))
    #expect(LandlockRights.session(abi: abi).isSuperset(of: [.makeRegularFile, .makeDirectory, .writeFile]))
  }

  @Test(arguments: 1...7)
  func `grants only rights that the Landlock ABI handles`(abi: Int) {
    let all = LandlockRights.all(abi: abi)
    for rights in [
      LandlockRights.readOnly(abi: abi), .session(abi: abi), .scratch(abi: abi), .device(abi: abi),
    ] {
      #expect(all.isSuperset(of: rights))
    }
    #expect(LandlockRights.readOnly(abi: abi) == [.execute, .readFile, .readDirectory])
    #expect(LandlockRights.scratch(abi: abi).isDisjoint(with: [.execute, .makeSocket, .makeBlockDevice]))
  }

  @Test func `the Landlock ABI of this kernel is known`() {
    #expect((0...LandlockSupport.newestKnown).contains(LandlockSupport.abi))
  }
}
