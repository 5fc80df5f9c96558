internal import CLinuxFile
internal import Glibc

/// What a file has besides its content: owner, permissions, access control list, extended attributes.
enum FileAttributes {
  /// Gives a new file, which is empty and readable to its owner alone, the attributes of another.
  ///
  /// At no moment can anybody open it who cannot open the other: whoever could would still have it open
  /// when it gets its content. So the permissions come last, since a file with an access control list
  /// shows that list's mask as its group's permissions.
  ///
  /// - Throws: An error for whatever cannot be kept, except for attributes that only the system sets.
  static func copy(
    from name: String, _ existing: stat, to file: Descriptor, in folder: Folder
  ) throws(FileSystemError) {
    let own = try file.information()
    if own.st_uid != existing.st_uid || own.st_gid != existing.st_gid {
      guard fchown(file.number, existing.st_uid, existing.st_gid) == 0 else {
        throw FileSystemError(.copyOwner)
      }
    }
    // A file that may not be read shows no attributes either; it cannot be edited then.
    let source = try folder.open(name, flags: O_RDONLY | O_NONBLOCK)
    let names = try names(of: source)
    for attribute in names { try copy(attribute, from: source, to: file) }
    // The folder may have given the new file a list of its own.
    if !names.contains(accessList), larder_remove_attribute(file.number, accessList) != 0,
      errno != ENODATA && errno != EOPNOTSUPP
    {
      throw FileSystemError(.copyAccessControlList)
    }
    guard fchmod(file.number, existing.st_mode & 0o7777) == 0 else {
      throw FileSystemError(.copyPermissions)
    }
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
    // Labels and trusted attributes are the system's to give.
    if name.hasPrefix("security.") || name.hasPrefix("trusted.") { return }
    throw FileSystemError(.copyExtendedAttribute(name))
  }

  /// What a call gives that tells its size when it is asked with a buffer of none.
  private static func bytes(
    _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileSystemError) -> [CChar] {
    while true {
      let size = call(nil, 0)
      if size < 0 && errno == EOPNOTSUPP { return [] }
      guard size >= 0 else { throw FileSystemError(.readExtendedAttributes) }
      var buffer = Array(repeating: CChar(0), count: size)
      let count = buffer.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
      if count >= 0 { return Array(buffer.prefix(count)) }
      guard errno == ERANGE else { throw FileSystemError(.readExtendedAttributes) }
    }
  }
}
