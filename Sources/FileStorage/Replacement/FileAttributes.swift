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
  /// Where the process may write a file but not give files away, the new file has another owner, and
  /// another group if the process is no member of the group. Then nobody gets permissions by it:
  /// the other group has those of all users at most.
  ///
  /// - Returns: The owner of the new file.
  /// - Throws: An error for an attribute that cannot be copied, unless only the system may set it.
  static func copy(
    from name: String, _ existing: FileIdentity, to new: borrowing TemporaryFile, in folder: Folder
  ) throws(FileSystemError) -> FileOwner {
    let file = new.descriptor
    var owner = new.identity.owner
    if owner != existing.owner {
      owner = try existing.owner.assign(to: file)
      if owner != existing.owner, !folder.mayWrite(name) {
        throw FileSystemError(.replaceReadOnlyFile, code: EPERM)
      }
    }
    let keepsGroup = owner.group == existing.owner.group
    // Extended attributes can only be read from a file that can be opened.
    let source = try folder.open(name, flags: O_RDONLY | O_NONBLOCK)
    let names = try names(of: source)
    for attribute in names {
      try copy(attribute, from: source, to: file) { value in
        attribute == accessList && !keepsGroup ? AccessList.restrictingGroup(in: value) : value
      }
    }
    let hasList = names.contains(accessList)
    // The new file may have inherited a list from the folder.
    if !hasList, try Self.names(of: file).contains(accessList),
      larder_remove_attribute(file.number, accessList) != 0
    {
      throw FileSystemError(.copyAccessControlList)
    }
    // A file that runs as its owner or group does not run as another.
    var mode = existing.mode & (owner == existing.owner ? 0o7777 : 0o777)
    if !keepsGroup, !hasList { mode &= 0o707 | (mode & 0o007) << 3 }
    guard fchmod(file.number, mode) == 0 else { throw FileSystemError(.copyPermissions) }
    return owner
  }

  private static let accessList = "system.posix_acl_access"

  private static func names(of file: Descriptor) throws(FileSystemError) -> [String] {
    let list = try bytes { larder_list_attributes(file.number, $0, $1) }
    return list.split(separator: 0).map { name in
      String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private static func copy(
    _ name: String, from source: Descriptor, to file: Descriptor,
    _ convert: ([CChar]) -> [CChar]
  ) throws(FileSystemError) {
    let value = convert(try bytes { larder_get_attribute(source.number, name, $0, $1) })
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
