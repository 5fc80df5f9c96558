/// An access control list as the kernel keeps it in an extended attribute: a version of four bytes,
/// then entries of a tag and permissions of two bytes each, and an identifier of four
/// (`linux/posix_acl_xattr.h`).
enum AccessList {
  private static let headerSize = 4
  private static let entrySize = 8
  /// The tag of the entry of the file's group.
  private static let group: CChar = 0x04
  /// The tag of the entry of all other users.
  private static let others: CChar = 0x20

  /// Returns a list that grants the file's group no more than all other users.
  static func restrictingGroup(in list: [CChar]) -> [CChar] {
    var list = list
    let entries = stride(from: headerSize, to: list.count - entrySize + 1, by: entrySize)
    // The values are small and little-endian.
    let permissions = entries.first { list[$0] == others }.map { list[$0 + 2] } ?? 0
    for entry in entries where list[entry] == group { list[entry + 2] &= permissions }
    return list
  }
}
