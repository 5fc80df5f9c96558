internal import CLinuxFile
internal import Glibc

/// The owner, permissions, access control list and extended attributes of a file.
enum FileAttributes {
  /// Copies the attributes of a file to a new one, which is empty and private to its owner.
  ///
  /// At no time may the new file be opened by a user who may not open the other: a descriptor
  /// opened too early would later read the contents. So the permissions come last, since for a file
  /// with an access control list the group's permissions are the mask of that list.
  ///
  /// - Throws: An error for an attribute that cannot be copied, unless only the system may set it.
  static func copy(
    from name: String, _ existing: FileIdentity, to new: borrowing TemporaryFile, in folder: Folder
  ) throws(FileSystemError) {
    let file = new.descriptor
    if new.identity.owner != existing.owner { try copyOwner(of: existing, to: file) }
    // Extended attributes can only be read from a file that can be opened.
    let source = try folder.open(name, flags: O_RDONLY | O_NONBLOCK)
    let names = try names(of: source)
    for attribute in names { try copy(attribute, from: source, to: file) }
    // The new file may have inherited a list from the folder.
    if !names.contains(accessList), larder_remove_attribute(file.number, accessList) != 0,
      errno != ENODATA && errno != EOPNOTSUPP
    {
      throw FileSystemError(.copyAccessControlList)
    }
    guard fchmod(file.number, existing.mode & 0o7777) == 0 else {
      throw FileSystemError(.copyPermissions)
    }
  }

  /// Gives the new file the owner and group of the other. Only root can give a file away: where the
  /// group may write it, a member who saves it becomes its owner.
  private static func copyOwner(
    of existing: FileIdentity, to file: Descriptor
  ) throws(FileSystemError) {
    if fchown(file.number, existing.owner.user, existing.owner.group) == 0 { return }
    let error = FileSystemError(.copyOwner)
    guard error.code == EPERM, existing.mode & S_IWGRP != 0,
      fchown(file.number, uid_t.max, existing.owner.group) == 0
    else { throw error }
  }

  private static let accessList = "system.posix_acl_access"

  private static func names(of file: Descriptor) throws(FileSystemError) -> [String] {
    let list = try bytes { larder_list_attributes(file.number, $0, $1) }
    return list.split(separator: 0).map { name in
      String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private static func copy(
    _ name: String, from source: Descriptor, to file: Descriptor
  ) throws(FileSystemError) {
    let value = try bytes { larder_get_attribute(source.number, name, $0, $1) }
    if larder_set_attribute(file.number, name, value, value.count) == 0 { return }
    // Only the system may set security labels and trusted attributes.
    if name.hasPrefix("security.") || name.hasPrefix("trusted.") { return }
    throw FileSystemError(.copyExtendedAttribute(name))
  }

  /// Returns the result of a call that reports its size when called without a buffer.
  private static func bytes(
    _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileSystemError) -> [CChar] {
    while true {
      let size = call(nil, 0)
      if size == 0 || size < 0 && errno == EOPNOTSUPP { return [] }
      guard size >= 0 else { throw FileSystemError(.readExtendedAttributes) }
      var buffer = Array(repeating: CChar(0), count: size)
      let count = buffer.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
      if count >= 0 { return Array(buffer.prefix(count)) }
      guard errno == ERANGE else { throw FileSystemError(.readExtendedAttributes) }
    }
  }
}
