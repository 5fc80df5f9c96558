/// File systems whose files can change unnoticed by this machine's kernel: network file systems,
/// and file systems that a program or the host of a virtual machine provides.
enum NetworkFileSystem {
  /// The values of `f_type` in `statfs` (linux/magic.h, and the sources of the file systems).
  private static let types: Set<UInt32> = [
    0x6969,  // NFS
    0x517B,  // SMB
    0xFE53_4D42,  // SMB 2
    0xFF53_4D42,  // CIFS
    0x6573_5546,  // FUSE
    0x0102_1997,  // 9P
    0x5346_414F,  // AFS
    0x6B41_4653,  // AFS of the kernel
    0x00C3_6400,  // Ceph
    0x7375_7245,  // Coda
    0x564C,  // NCP
    0x0BD0_0BD0,  // Lustre
    0x4750_4653,  // GPFS
    0x1983_0326,  // BeeGFS
    0x2003_0528,  // OrangeFS
    0xAAD7_AAEA,  // PanFS
    0xBEEF_DEAD,  // StorNext
    0x0116_1970,  // GFS 2
    0x7461_636F,  // OCFS 2
    0x786F_4256,  // VirtualBox's shared folders
    0xBACB_ACBC,  // VMware's shared folders
    0x7C7C_6673,  // Parallels' shared folders
  ]

  /// Returns whether a type is one of these.
  static func contains(type: UInt) -> Bool {
    // 32-bit systems sign-extend some types.
    types.contains(UInt32(truncatingIfNeeded: type))
  }
}
